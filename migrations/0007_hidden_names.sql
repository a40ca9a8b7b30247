-- Names that only hidden sentences have used are not shown, and come back with those sentences.
-- Which they are is derived, like what is shown of texts: by the number of an alias, or of the
-- entity whose own name it is.
CREATE TABLE hidden_names(
  record TEXT NOT NULL CHECK(record IN ('alias', 'entity')),
  row_id INTEGER NOT NULL,
  PRIMARY KEY(record, row_id)
) STRICT, WITHOUT ROWID;

-- The number of a row that went can become another's.
CREATE TRIGGER hidden_aliases_go AFTER DELETE ON aliases
BEGIN
  DELETE FROM hidden_names WHERE record = 'alias' AND row_id = old.alias_id;
END;

CREATE TRIGGER hidden_entities_go AFTER DELETE ON entities
BEGIN
  DELETE FROM hidden_names WHERE record = 'entity' AND row_id = old.entity_id;
END;

CREATE INDEX facts_hidden ON facts(fact_id) WHERE visibility = 'hidden';

CREATE INDEX episodes_hidden ON episodes(episode_id) WHERE visibility = 'hidden';

CREATE INDEX aliases_ended_by_name ON aliases(scope_id, name_key)
  WHERE recorded_to < 9223372036854775807;

CREATE VIEW shown_aliases AS
SELECT a.alias_id, a.entity_id, a.scope_id, a.name, a.name_key
FROM aliases a
WHERE a.recorded_to = 9223372036854775807 AND NOT EXISTS(
  SELECT 1 FROM hidden_names WHERE record = 'alias' AND row_id = a.alias_id);

-- What entities are called: by their own name, or where that is hidden by the one of the entity
-- that they were merged into, or by another that they have.
CREATE VIEW named_entities AS
SELECT n.entity_id, n.uid, n.scope_id, n.kind,
  CASE WHEN NOT EXISTS(
      SELECT 1 FROM hidden_names WHERE record = 'entity' AND row_id = n.entity_id) THEN n.name
    ELSE coalesce((
      SELECT m.name FROM entities m WHERE m.entity_id = n.merged_into AND NOT EXISTS(
        SELECT 1 FROM hidden_names WHERE record = 'entity' AND row_id = m.entity_id)), (
      SELECT a.name FROM aliases a
      WHERE a.entity_id = coalesce(n.merged_into, n.entity_id)
        AND a.recorded_to = 9223372036854775807 AND NOT EXISTS(
          SELECT 1 FROM hidden_names WHERE record = 'alias' AND row_id = a.alias_id)
      ORDER BY a.alias_id LIMIT 1), n.name) END AS name,
  n.name AS own_name, n.name_key, n.distinction, n.merged_into, n.recorded, n.visibility
FROM entities n;

DROP VIEW readable_facts;
DROP VIEW shown_entities;
DROP VIEW fact_documents;

CREATE VIEW readable_facts AS
SELECT f.fact_id, hex(f.uid) AS uid, c.name AS scope, s.name AS subject, p.name AS predicate,
  coalesce(f.object_value, o.name) AS object, f.rank, f.confidence, f.validity, f.visibility,
  f.lifecycle, f.support
FROM facts f
JOIN scopes c ON c.scope_id = f.scope_id
JOIN named_entities s ON s.entity_id = f.subject_id
JOIN predicates p ON p.predicate_id = f.predicate_id
LEFT JOIN named_entities o ON o.entity_id = f.object_id
WHERE f.visibility = 'visible' AND f.support > 0;

-- What was taken back speaks of nobody: its names are shown no more than its words. Who was
-- merged is shown with the other.
CREATE VIEW shown_entities AS
SELECT n.entity_id, n.uid, n.scope_id, n.kind, n.name, n.name_key, n.distinction, n.merged_into,
  n.recorded
FROM named_entities n
WHERE n.visibility = 'visible' AND (
  EXISTS(SELECT 1 FROM facts
    WHERE subject_id IN (n.entity_id, n.merged_into) AND visibility = 'visible' AND support > 0)
  OR EXISTS(SELECT 1 FROM facts
    WHERE object_id IN (n.entity_id, n.merged_into) AND visibility = 'visible' AND support > 0)
  OR EXISTS(SELECT 1 FROM facts
    WHERE attributed_to IN (n.entity_id, n.merged_into) AND visibility = 'visible' AND support > 0)
  OR EXISTS(SELECT 1 FROM links l JOIN facts f ON f.fact_id = l.from_fact_id
    WHERE l.to_entity_id IN (n.entity_id, n.merged_into) AND f.visibility = 'visible' AND f.support > 0)
  OR EXISTS(SELECT 1 FROM episodes
    WHERE speaker_id IN (n.entity_id, n.merged_into) AND visibility = 'visible' AND withdrawn IS NULL)
  OR NOT EXISTS(SELECT 1 FROM facts WHERE subject_id IN (n.entity_id, n.merged_into))
    AND NOT EXISTS(SELECT 1 FROM facts WHERE object_id IN (n.entity_id, n.merged_into))
    AND NOT EXISTS(SELECT 1 FROM facts WHERE attributed_to IN (n.entity_id, n.merged_into))
    AND NOT EXISTS(SELECT 1 FROM links WHERE to_entity_id IN (n.entity_id, n.merged_into))
    AND NOT EXISTS(SELECT 1 FROM episodes WHERE speaker_id IN (n.entity_id, n.merged_into)));

CREATE VIEW fact_documents AS
SELECT f.fact_id,
  memory_words(f.scope_id, s.name || char(10) || p.name || char(10) || v.label_en || char(10)
    || v.label_zh || char(10) || coalesce(f.object_value, o.name)
    || coalesce(char(10) || (SELECT group_concat(a.name, char(10)) FROM (
      SELECT name FROM shown_aliases WHERE entity_id = f.object_id ORDER BY alias_id) a), ''))
    AS body,
  memory_words(f.scope_id, coalesce((
    SELECT substr(t.text, e.span_from + 1, e.span_to - e.span_from)
    FROM evidence e JOIN episodes h ON h.episode_id = e.episode_id AND h.visibility = 'visible'
    JOIN shown_texts t ON t.episode_id = e.episode_id
    WHERE e.fact_id = f.fact_id AND e.recorded_to = 9223372036854775807
    ORDER BY e.evidence_id LIMIT 1), '')) AS ctx
FROM facts f
JOIN named_entities s ON s.entity_id = f.subject_id
JOIN predicates p ON p.predicate_id = f.predicate_id
JOIN predicate_versions v ON v.predicate_id = f.predicate_id
  AND v.recorded_to = 9223372036854775807
LEFT JOIN named_entities o ON o.entity_id = f.object_id
WHERE f.visibility = 'visible' AND f.support > 0;
