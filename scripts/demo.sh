#!/bin/sh
# Show memorycore at work: make a store, take the bundled conversations in, and search them.
# Usage: sh scripts/demo.sh [PATH/TO/memoryctl]
set -eu
memoryctl=${1:-memoryctl}
here=$(cd "$(dirname "$0")/.." && pwd)
store=$(mktemp -d "${TMPDIR:-/tmp}/memorycore-demo.XXXXXX")
export MEMORYCORE_DB="$store/memory.db"

run() {
    printf '\n$ memoryctl'
    for word in "$@"; do
        case $word in *" "*) printf ' "%s"' "$word" ;; *) printf ' %s' "$word" ;; esac
    done
    printf '\n'
    "$memoryctl" "$@"
}

run init-db
for file in ana.en lin.zh mixed friends.en; do
    run ingest "$here/testdata/conversations/$file.jsonl"
done
run search 过敏 --scope user:lin --limit 2 --fields at,speaker,text
run search "为什么要把 Redis 换掉？" --scope user:wei --limit 2 --fields at,speaker,text
run search "where did I put the spare key?" --scope user:ana --limit 2 --fields at,speaker,text
run stats
printf '\nThe store is %s; memoryctl --db %s search … goes on from here.\n' \
    "$MEMORYCORE_DB" "$MEMORYCORE_DB"
