-- Forgetting: what is struck from what is shown, plans, receipts, and what may not come back.

INSERT INTO operation_kinds(kind, is_undoable) VALUES
  ('hide', 1), ('forget', 0), ('redact', 0), ('purge', 0), ('lift', 1), ('key', 0);

-- A store that has lived without these settings may hold remains of what was deleted before: the
-- first forgetting rebuilds it as a whole.
CREATE TABLE upkeep(
  upkeep_id INTEGER PRIMARY KEY CHECK(upkeep_id = 1),
  needs_rebuild INTEGER NOT NULL CHECK(needs_rebuild IN (0, 1))
) STRICT;
INSERT INTO upkeep(upkeep_id, needs_rebuild) SELECT 1, EXISTS(SELECT 1 FROM episodes);
INSERT INTO episode_index(episode_index, rank) VALUES('secure-delete', 1);
INSERT INTO fact_index(fact_index, rank) VALUES('secure-delete', 1);

-- The text with its struck spans masked, character for character, where anything is struck.
ALTER TABLE episode_texts ADD COLUMN shown TEXT;
DROP TRIGGER episode_texts_are_not_edited;
CREATE TRIGGER episode_texts_are_not_edited BEFORE UPDATE OF episode_id, text, meta ON episode_texts
BEGIN
  SELECT RAISE(ABORT, 'the text of an episode is never edited');
END;
-- What may be shown of texts. Whoever reads an episode for somebody reads it here.
CREATE VIEW shown_texts AS
SELECT episode_id, coalesce(shown, text) AS text, meta FROM episode_texts;

CREATE TABLE struck_spans(
  struck_id INTEGER PRIMARY KEY,
  episode_id INTEGER NOT NULL REFERENCES episodes,
  span_from INTEGER NOT NULL CHECK(span_from >= 0),
  span_to INTEGER NOT NULL,
  recorded_from INTEGER NOT NULL REFERENCES operations,
  recorded_to INTEGER NOT NULL DEFAULT 9223372036854775807,
  CHECK(span_from < span_to),
  CHECK(recorded_from <= recorded_to)
) STRICT;
CREATE INDEX struck_spans_of_episode ON struck_spans(episode_id)
  WHERE recorded_to = 9223372036854775807;

ALTER TABLE entities ADD COLUMN visibility TEXT NOT NULL DEFAULT 'visible'
  CHECK(visibility IN ('visible', 'forgotten'));

ALTER TABLE quarantined ADD COLUMN visibility TEXT NOT NULL DEFAULT 'visible'
  CHECK(visibility IN ('visible', 'hidden', 'forgotten'));

-- A fact that is forgotten gives up its content, and nothing else ever changes it.
DROP TRIGGER facts_are_not_rewritten;
CREATE TRIGGER facts_are_not_rewritten BEFORE UPDATE ON facts
WHEN new.uid IS NOT old.uid OR new.scope_id IS NOT old.scope_id
  OR new.predicate_id IS NOT old.predicate_id OR new.recorded IS NOT old.recorded
  OR new.fact_type IS NOT old.fact_type
  OR (new.visibility <> 'forgotten' AND (new.rank IS NOT old.rank
    OR new.object_value IS NOT old.object_value OR new.claim_key IS NOT old.claim_key
    OR new.attributed_to IS NOT old.attributed_to))
  OR (new.visibility = 'forgotten' AND new.object_value IS NOT '')
  OR (old.visibility = 'forgotten' AND new.visibility <> 'forgotten')
BEGIN
  SELECT RAISE(ABORT, 'the content of a fact is never changed');
END;

CREATE INDEX decisions_ended ON decisions(candidate_id)
  WHERE recorded_to < 9223372036854775807;
CREATE INDEX decisions_of_target ON decisions(target_id) WHERE target_id IS NOT NULL;
CREATE INDEX review_items_of_fact ON review_items(fact_id) WHERE fact_id IS NOT NULL;
CREATE INDEX review_items_of_target ON review_items(target_id) WHERE target_id IS NOT NULL;
CREATE INDEX links_of_entity ON links(to_entity_id) WHERE to_entity_id IS NOT NULL;
CREATE INDEX links_ended ON links(from_fact_id) WHERE recorded_to < 9223372036854775807;
CREATE INDEX aliases_ended ON aliases(entity_id) WHERE recorded_to < 9223372036854775807;
CREATE INDEX facts_of_timeline ON facts(timeline_id);
CREATE INDEX facts_attributed ON facts(attributed_to) WHERE attributed_to IS NOT NULL;
CREATE INDEX episodes_of_speaker ON episodes(speaker_id) WHERE speaker_id IS NOT NULL;
CREATE INDEX episodes_of_source ON episodes(source_id) WHERE source_id IS NOT NULL;
CREATE INDEX entities_merged ON entities(merged_into) WHERE merged_into IS NOT NULL;
CREATE INDEX changes_of_row ON changes(row_id, record);

-- All rows, standing or ended. In two halves, since each half has an index of its own.
CREATE VIEW evidence_ever AS
SELECT evidence_id, fact_id, episode_id, span_from, span_to, candidate_id, recorded_to
FROM evidence WHERE recorded_to = 9223372036854775807
UNION ALL
SELECT evidence_id, fact_id, episode_id, span_from, span_to, candidate_id, recorded_to
FROM evidence WHERE recorded_to < 9223372036854775807;
CREATE VIEW links_ever AS
SELECT link_id, kind, from_fact_id, to_fact_id, to_entity_id
FROM links WHERE recorded_to = 9223372036854775807
UNION ALL
SELECT link_id, kind, from_fact_id, to_fact_id, to_entity_id
FROM links WHERE recorded_to < 9223372036854775807;
CREATE VIEW decisions_ever AS
SELECT decision_id, candidate_id FROM decisions WHERE recorded_to = 9223372036854775807
UNION ALL
SELECT decision_id, candidate_id FROM decisions WHERE recorded_to < 9223372036854775807;
CREATE VIEW aliases_ever AS
SELECT alias_id, entity_id, name FROM aliases WHERE recorded_to = 9223372036854775807
UNION ALL
SELECT alias_id, entity_id, name FROM aliases WHERE recorded_to < 9223372036854775807;

-- Candidates that may be shown: none that speaks of what is hidden, forgotten or struck.
CREATE VIEW shown_candidates AS
SELECT c.candidate_id, c.uid, c.scope_id, c.proposer, c.place, c.state, c.statement, c.identity,
  c.fingerprint, c.recorded_from, c.recorded_to
FROM candidates c
WHERE NOT EXISTS(
    SELECT 1 FROM candidate_evidence v JOIN episodes e ON e.episode_id = v.episode_id
    WHERE v.candidate_id = c.candidate_id AND (e.visibility <> 'visible' OR EXISTS(
      SELECT 1 FROM struck_spans k WHERE k.episode_id = v.episode_id
        AND k.recorded_to = 9223372036854775807
        AND k.span_from < v.span_to AND v.span_from < k.span_to)))
  AND NOT EXISTS(
    SELECT 1 FROM decisions d JOIN facts f ON f.fact_id = d.fact_id OR f.fact_id = d.target_id
    WHERE d.candidate_id = c.candidate_id AND d.recorded_to = 9223372036854775807
      AND f.visibility <> 'visible');

-- Entities that may be shown: not those of which all that speaks is hidden or forgotten.
CREATE VIEW shown_entities AS
SELECT n.entity_id, n.uid, n.scope_id, n.kind, n.name, n.name_key, n.distinction, n.merged_into,
  n.recorded
FROM entities n
WHERE n.visibility = 'visible' AND (
  NOT EXISTS(SELECT 1 FROM facts WHERE subject_id = n.entity_id AND visibility <> 'visible')
    AND NOT EXISTS(SELECT 1 FROM facts WHERE object_id = n.entity_id AND visibility <> 'visible')
    AND NOT EXISTS(SELECT 1 FROM facts
      WHERE attributed_to = n.entity_id AND visibility <> 'visible')
    AND NOT EXISTS(SELECT 1 FROM links l JOIN facts f ON f.fact_id = l.from_fact_id
      WHERE l.to_entity_id = n.entity_id AND f.visibility <> 'visible')
    AND NOT EXISTS(SELECT 1 FROM episodes
      WHERE speaker_id = n.entity_id AND visibility <> 'visible')
  OR EXISTS(SELECT 1 FROM facts WHERE subject_id = n.entity_id AND visibility = 'visible')
  OR EXISTS(SELECT 1 FROM facts WHERE object_id = n.entity_id AND visibility = 'visible')
  OR EXISTS(SELECT 1 FROM facts WHERE attributed_to = n.entity_id AND visibility = 'visible')
  OR EXISTS(SELECT 1 FROM links l JOIN facts f ON f.fact_id = l.from_fact_id
    WHERE l.to_entity_id = n.entity_id AND f.visibility = 'visible')
  OR EXISTS(SELECT 1 FROM episodes WHERE speaker_id = n.entity_id AND visibility = 'visible'));

-- What a plan covers, by number only: the words that led to it are not kept.
CREATE TABLE forget_plans(
  plan_id INTEGER PRIMARY KEY,
  uid BLOB NOT NULL UNIQUE CHECK(length(uid) = 16),
  scope_id INTEGER NOT NULL REFERENCES scopes,
  level TEXT NOT NULL CHECK(level IN ('soft', 'hard', 'redact', 'purge')),
  kind TEXT NOT NULL CHECK(kind IN ('fact', 'episode', 'entity', 'subject', 'session', 'operation',
    'query', 'period')),
  targets TEXT NOT NULL CHECK(json_valid(targets)),
  options TEXT NOT NULL CHECK(json_valid(options)),
  digest BLOB NOT NULL,
  made_at INTEGER NOT NULL
) STRICT;

CREATE TABLE receipts(
  receipt_id INTEGER PRIMARY KEY,
  uid BLOB NOT NULL UNIQUE CHECK(length(uid) = 16),
  scope_id INTEGER NOT NULL REFERENCES scopes,
  operation_id INTEGER NOT NULL UNIQUE REFERENCES operations,
  level TEXT NOT NULL CHECK(level IN ('soft', 'hard', 'redact', 'purge'))
) STRICT;
CREATE INDEX receipts_by_scope ON receipts(scope_id);

-- One chain over all receipts: what was done, and later which phase has ended how.
CREATE TABLE receipt_entries(
  entry_id INTEGER PRIMARY KEY,
  receipt_id INTEGER NOT NULL REFERENCES receipts,
  phase TEXT NOT NULL CHECK(phase IN ('logical', 'file', 'verified')),
  body TEXT NOT NULL CHECK(json_valid(body)),
  previous BLOB NOT NULL CHECK(length(previous) = 32),
  hash BLOB NOT NULL UNIQUE CHECK(length(hash) = 32)
) STRICT;
CREATE INDEX receipt_entries_of_receipt ON receipt_entries(receipt_id);
CREATE TRIGGER receipts_are_append_only BEFORE UPDATE ON receipts
BEGIN
  SELECT RAISE(ABORT, 'a receipt is never changed');
END;
CREATE TRIGGER receipts_are_kept BEFORE DELETE ON receipts
BEGIN
  SELECT RAISE(ABORT, 'a receipt is never deleted');
END;
CREATE TRIGGER receipt_entries_are_append_only BEFORE UPDATE ON receipt_entries
BEGIN
  SELECT RAISE(ABORT, 'a receipt is never changed');
END;
CREATE TRIGGER receipt_entries_are_kept BEFORE DELETE ON receipt_entries
BEGIN
  SELECT RAISE(ABORT, 'a receipt is never deleted');
END;

-- Keyed fingerprints of what may not come back; without the key they say nothing.
CREATE TABLE suppressions(
  suppression_id INTEGER PRIMARY KEY,
  uid BLOB NOT NULL UNIQUE CHECK(length(uid) = 16),
  scope_id INTEGER NOT NULL REFERENCES scopes,
  kind TEXT NOT NULL CHECK(kind IN ('statement', 'text', 'message')),
  fingerprint BLOB NOT NULL CHECK(length(fingerprint) = 16),
  receipt_id INTEGER NOT NULL REFERENCES receipts,
  recorded_from INTEGER NOT NULL REFERENCES operations,
  recorded_to INTEGER NOT NULL DEFAULT 9223372036854775807,
  CHECK(recorded_from <= recorded_to)
) STRICT;
CREATE UNIQUE INDEX suppressions_once ON suppressions(scope_id, kind, fingerprint)
  WHERE recorded_to = 9223372036854775807;
CREATE INDEX suppressions_of_receipt ON suppressions(receipt_id);

-- The key of the fingerprints: its check value while it is there, and that it was destroyed.
CREATE TABLE suppression_keys(
  key_id INTEGER PRIMARY KEY,
  key_check BLOB CHECK(length(key_check) = 16),
  recorded_from INTEGER NOT NULL REFERENCES operations,
  recorded_to INTEGER NOT NULL DEFAULT 9223372036854775807
) STRICT;

DROP VIEW episode_documents;
CREATE VIEW episode_documents AS
SELECT e.episode_id,
  memory_words(e.scope_id, t.text) AS body,
  iif(memory_context(e.scope_id, t.text) = '', '', (
    SELECT coalesce(group_concat(words, ' '), '') FROM (
      SELECT memory_context(e.scope_id, bt.text) AS words
      FROM episodes b JOIN shown_texts bt ON bt.episode_id = b.episode_id
      WHERE b.episode_id IN (
        SELECT p.episode_id FROM episodes p
        WHERE p.session_id = e.session_id AND p.episode_id < e.episode_id
          AND p.visibility = 'visible' AND p.withdrawn IS NULL
        ORDER BY p.episode_id DESC LIMIT 2)
      OR b.episode_id IN (
        SELECT n.episode_id FROM episodes n
        WHERE n.session_id = e.session_id AND n.episode_id > e.episode_id
          AND n.visibility = 'visible' AND n.withdrawn IS NULL
        ORDER BY n.episode_id LIMIT 2)
      ORDER BY b.episode_id)
    WHERE words <> '')) AS ctx
FROM episodes e JOIN shown_texts t ON t.episode_id = e.episode_id
WHERE e.visibility = 'visible' AND e.withdrawn IS NULL;

DROP VIEW fact_documents;
CREATE VIEW fact_documents AS
SELECT f.fact_id,
  memory_words(f.scope_id, s.name || char(10) || p.name || char(10) || v.label_en || char(10)
    || v.label_zh || char(10) || coalesce(f.object_value, o.name)
    || coalesce(char(10) || (SELECT group_concat(a.name, char(10)) FROM (
      SELECT name FROM aliases WHERE entity_id = f.object_id
        AND recorded_to = 9223372036854775807 ORDER BY alias_id) a), '')) AS body,
  memory_words(f.scope_id, coalesce((
    SELECT substr(t.text, e.span_from + 1, e.span_to - e.span_from)
    FROM evidence e JOIN episodes h ON h.episode_id = e.episode_id AND h.visibility = 'visible'
    JOIN shown_texts t ON t.episode_id = e.episode_id
    WHERE e.fact_id = f.fact_id AND e.recorded_to = 9223372036854775807
    ORDER BY e.evidence_id LIMIT 1), '')) AS ctx
FROM facts f
JOIN entities s ON s.entity_id = f.subject_id
JOIN predicates p ON p.predicate_id = f.predicate_id
JOIN predicate_versions v ON v.predicate_id = f.predicate_id
  AND v.recorded_to = 9223372036854775807
LEFT JOIN entities o ON o.entity_id = f.object_id
WHERE f.visibility = 'visible' AND f.support > 0;

DROP VIEW readable_episodes;
CREATE VIEW readable_episodes AS
SELECT e.episode_id, hex(e.uid) AS uid, s.name AS scope, n.name AS session, e.role, p.name AS speaker,
  strftime('%Y-%m-%dT%H:%M:%fZ', e.occurred_from / 1000000.0, 'unixepoch') AS occurred_from,
  e.precision, e.zone, o.name AS source, e.external_id, e.recorded, e.visibility, t.text, t.meta
FROM episodes e
JOIN scopes s ON s.scope_id = e.scope_id
JOIN shown_texts t ON t.episode_id = e.episode_id
LEFT JOIN sessions n ON n.session_id = e.session_id
LEFT JOIN entities p ON p.entity_id = e.speaker_id
LEFT JOIN sources o ON o.source_id = e.source_id
WHERE e.visibility = 'visible' AND e.withdrawn IS NULL;

DROP VIEW readable_links;
CREATE VIEW readable_links AS
SELECT 'EVIDENCED_BY' AS kind, v.fact_id AS from_fact_id, NULL AS to_fact_id, NULL AS to_entity_id,
  v.episode_id AS to_episode_id, v.span_from, v.span_to,
  substr(t.text, v.span_from + 1, v.span_to - v.span_from) AS quote
FROM evidence v
JOIN facts f ON f.fact_id = v.fact_id
JOIN episodes e ON e.episode_id = v.episode_id
JOIN shown_texts t ON t.episode_id = v.episode_id
WHERE v.recorded_to = 9223372036854775807 AND e.visibility = 'visible' AND e.withdrawn IS NULL
  AND f.visibility = 'visible'
UNION ALL
SELECT 'ABOUT_ENTITY', fact_id, NULL, subject_id, NULL, NULL, NULL, NULL
FROM facts WHERE visibility = 'visible' AND support > 0
UNION ALL
SELECT 'ABOUT_ENTITY', fact_id, NULL, object_id, NULL, NULL, NULL, NULL
FROM facts WHERE visibility = 'visible' AND support > 0 AND object_id IS NOT NULL
UNION ALL
SELECT l.kind, l.from_fact_id, l.to_fact_id, l.to_entity_id, NULL, NULL, NULL, NULL
FROM links l JOIN facts f ON f.fact_id = l.from_fact_id
WHERE l.recorded_to = 9223372036854775807 AND f.visibility = 'visible' AND f.support > 0
  AND (l.to_fact_id IS NULL OR EXISTS(
    SELECT 1 FROM facts g WHERE g.fact_id = l.to_fact_id AND g.visibility = 'visible'));
