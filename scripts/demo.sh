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
for file in mia ana.en lin.zh mixed friends.en; do
    run ingest "$here/testdata/conversations/$file.jsonl"
done
run ingest "$here/testdata/exports/suying.mem0.jsonl" --scope agent:suying

say "Sentence patterns read them, with no model and no network. Most of what is said is no fact."
run learn --scope user:mia
run learn --scope user:lin

say "What became of each candidate, and why. What is not sure waits for a person."
run list candidates --scope user:mia --scope user:lin --fields decision,because,text

say "What was not said is refused, whoever proposes it."
cat >"$store/proposed.jsonl" <<'END'
{"predicate": "likes", "subject": "Mia", "object": "the coffee at the Rookery", "quote": "You might love the coffee at the Rookery", "external_id": "mia-0002"}
{"predicate": "lives_in", "object": "Rome", "quote": "If I lived in Rome", "external_id": "mia-0003"}
{"predicate": "works_at", "object": "the printing house", "quote": "I work at the printing house", "external_id": "mia-0001"}
END
run learn --from "$store/proposed.jsonl" --scope user:mia || test $? -eq 7

say "Where did Mia live in March 2025, where does she live now, and who says so?"
run as-of 2025-03-01 --subject Mia --predicate lives_in --scope user:mia --fields text,from,to
run as-of now --subject Mia --predicate lives_in --scope user:mia --fields text,from,to
run explain "$("$memoryctl" as-of now --subject Mia --predicate lives_in --scope user:mia -o id)" \
    --scope user:mia

say "Statements that a program has drawn from an export come in by the same door."
run learn --from "$here/testdata/claims/suying.claims.jsonl" --scope agent:suying

say "Facts and what was said are found by words, in Chinese and English."
run search "where does Mia live?" --scope user:mia --limit 2 --fields kind,at,text
run search 喜欢的作家 --scope agent:suying --limit 2 --fields kind,at,text
run search 过敏 --scope user:lin --limit 2 --fields at,speaker,text
run search "为什么要把 Redis 换掉？" --scope user:wei --limit 2 --fields at,speaker,text
run search "where did I put the spare key?" --scope user:ana --limit 2 --fields at,speaker,text

printf '\nThe store is %s; memoryctl --db %s search … goes on from here.\n' \
    "$MEMORYCORE_DB" "$MEMORYCORE_DB"
