#!/bin/sh
# Show memorycore at work: make a store, take conversations in, learn facts from them, and ask.
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

say() {
    printf '\n# %s\n' "$1"
}

say "Conversations go in as they are."
run init-db
for file in ana.en lin.zh mixed friends.en; do
    run ingest "$here/testdata/conversations/$file.jsonl"
done
run ingest "$here/testdata/exports/suying.mem0.jsonl" --scope agent:suying

say "They are found by words, in Chinese and English."
run search 过敏 --scope user:lin --limit 2 --fields at,speaker,text
run search "为什么要把 Redis 换掉？" --scope user:wei --limit 2 --fields at,speaker,text
run search "where did I put the spare key?" --scope user:ana --limit 2 --fields at,speaker,text

say "Proposed statements become facts, or wait for a person."
run learn --from "$here/testdata/claims/suying.claims.jsonl" --scope agent:suying
run learn --from "$here/testdata/candidates/ana.en.candidates.jsonl" --scope user:ana
run search 喜欢的作家 --scope agent:suying --limit 3 --fields kind,at,text

say "Where did Ana live in March 2025, where does she live now, and who says so?"
run as-of 2025-03-01 --subject Ana --predicate lives_in --scope user:ana --fields text,from,to
run as-of now --subject Ana --predicate lives_in --scope user:ana --fields text,from,to
run explain "$("$memoryctl" as-of now --subject Ana --predicate lives_in --scope user:ana -o id)" \
    --scope user:ana

run stats
printf '\nThe store is %s; memoryctl --db %s search … goes on from here.\n' \
    "$MEMORYCORE_DB" "$MEMORYCORE_DB"
