"""The logical state of a store as canonical lines: what stands, named by what it says.

Ids, numbers and instants of recording are left out: two stores that came to the same beliefs from
the same sentences give the same lines, in whatever order they came.
"""

import json
from collections.abc import Iterator, Sequence

from memorycore.store.connection import Connection, number_list

NAMED = """
  s.kind || ':' || s.name || '/' || s.distinction || '|' || p.name || '|'
  || coalesce(o.kind || ':' || o.name || '/' || o.distinction, '=' || f.object_value)
  || '|' || coalesce(f.rank, '')
"""
FROM_FACTS = """
FROM facts f
JOIN entities s ON s.entity_id = f.subject_id
JOIN predicates p ON p.predicate_id = f.predicate_id
LEFT JOIN entities o ON o.entity_id = f.object_id
"""
STANDING = """
WHERE f.scope_id IN (SELECT value FROM carray(:scopes)) AND f.support > 0
"""
PARTS = {
    "episode": """
SELECT e.role, n.name, e.occurred_from, e.occurred_to, e.precision, e.external_id, t.text
FROM episodes e JOIN shown_texts t ON t.episode_id = e.episode_id
LEFT JOIN sessions n ON n.session_id = e.session_id
WHERE e.scope_id IN (SELECT value FROM carray(:scopes)) AND e.visibility = 'visible'
  AND e.withdrawn IS NULL
""",
    "fact": f"""
SELECT {NAMED}, f.fact_type, f.confidence, f.importance, f.sensitivity, f.validity, f.visibility,
  f.lifecycle, f.is_pinned, f.event_type, f.event_status, f.support
{FROM_FACTS} {STANDING}
""",
    "period": f"""
SELECT {NAMED}, q.valid_from, q.valid_to, q.from_precision, q.from_basis, q.to_precision,
  q.to_basis, q.ended_by, q.certainty
{FROM_FACTS} JOIN fact_periods q ON q.fact_id = f.fact_id AND q.recorded_to = 9223372036854775807
{STANDING}
""",
    "evidence": f"""
SELECT {NAMED}, v.span_from, v.span_to, v.starts, v.ends, v.source_class, v.reliability, t.text
{FROM_FACTS} JOIN evidence v ON v.fact_id = f.fact_id AND v.recorded_to = 9223372036854775807
JOIN shown_texts t ON t.episode_id = v.episode_id
{STANDING}
""",
    "link": f"""
SELECT {NAMED}, l.kind, (SELECT s2.name || '|' || p2.name || '|' || coalesce(f2.object_value,
    o2.name) FROM facts f2 JOIN entities s2 ON s2.entity_id = f2.subject_id
    JOIN predicates p2 ON p2.predicate_id = f2.predicate_id
    LEFT JOIN entities o2 ON o2.entity_id = f2.object_id WHERE f2.fact_id = l.to_fact_id),
  (SELECT name FROM entities WHERE entity_id = l.to_entity_id)
{FROM_FACTS} JOIN links l ON l.from_fact_id = f.fact_id AND l.recorded_to = 9223372036854775807
{STANDING}
""",
    "alias": """
SELECT e.kind, e.name, e.distinction, a.name
FROM aliases a JOIN entities e ON e.entity_id = a.entity_id
WHERE a.scope_id IN (SELECT value FROM carray(:scopes)) AND a.recorded_to = 9223372036854775807
""",
    "merged": """
SELECT e.kind, e.name, e.distinction, m.name, m.distinction
FROM entities e JOIN entities m ON m.entity_id = e.merged_into
WHERE e.scope_id IN (SELECT value FROM carray(:scopes)) AND e.distinction = ''
""",
    "candidate": """
SELECT c.proposer, c.state, c.statement, d.kind, d.reason, r.state, r.verdict
FROM candidates c
LEFT JOIN decisions d ON d.candidate_id = c.candidate_id AND d.recorded_to = 9223372036854775807
LEFT JOIN review_items r ON r.candidate_id = c.candidate_id
  AND r.recorded_to = 9223372036854775807 AND r.state = 'open'
WHERE c.scope_id IN (SELECT value FROM carray(:scopes)) AND c.recorded_to = 9223372036854775807
""",
    "quarantined": """
SELECT place, code, text FROM quarantined
WHERE scope_id IN (SELECT value FROM carray(:scopes)) AND recorded_to = 9223372036854775807
  AND visibility = 'visible'
""",
    "predicate": """
SELECT p.name, v.domain, v.label_en, v.label_zh, v.aliases, v.fact_type, v.cardinality,
  v.conflict_policy, v.temporal, v.object_kind, v.value_type, v.subject_kinds, v.object_kinds,
  v.opposite, v.is_ranked, v.tau_days, v.importance, v.is_sensitive, v.allow_inference,
  v.allow_assistant_source, v.allow_agent_subject, v.is_denial, v.min_evidence
FROM predicates p JOIN predicate_versions v ON v.predicate_id = p.predicate_id
WHERE v.recorded_to = 9223372036854775807
""",
}


def iter_lines(db: Connection, scope_ids: Sequence[int]) -> Iterator[str]:
    """Go through the canonical lines of some scopes, part by part, each part sorted."""
    for part, sql in PARTS.items():
        rows = db.execute(sql, {"scopes": number_list(scope_ids)} if ":scopes" in sql else {})
        yield from sorted(json.dumps([part, *row], ensure_ascii=False) for row in rows)
