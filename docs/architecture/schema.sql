-- Generated from the migrations: the schema as SQLite holds it.

CREATE TABLE schema_migrations(
  number INTEGER PRIMARY KEY, name TEXT NOT NULL, sha256 TEXT NOT NULL
) STRICT
;

CREATE TABLE stores(
  store_id INTEGER PRIMARY KEY CHECK(store_id = 1),
  uid BLOB NOT NULL CHECK(length(uid) = 16),
  time_zone TEXT NOT NULL,
  language TEXT NOT NULL,
  key_check BLOB NOT NULL,
  folding_version TEXT NOT NULL
) STRICT;

CREATE TABLE operations(
  operation_id INTEGER PRIMARY KEY,
  uid BLOB NOT NULL UNIQUE CHECK(length(uid) = 16),
  at INTEGER NOT NULL,
  actor TEXT NOT NULL,
  kind TEXT NOT NULL CHECK(kind IN ('init', 'ingest', 'undo')),
  scope_id INTEGER REFERENCES scopes,
  undoes INTEGER REFERENCES operations
) STRICT;

CREATE INDEX operations_by_undone ON operations(undoes) WHERE undoes IS NOT NULL;

CREATE TRIGGER operations_go_forward BEFORE INSERT ON operations
WHEN new.at <= (SELECT at FROM operations ORDER BY operation_id DESC LIMIT 1)
BEGIN
  SELECT RAISE(ABORT, 'recorded time only grows');
END;

CREATE TRIGGER operations_are_append_only BEFORE UPDATE ON operations
BEGIN
  SELECT RAISE(ABORT, 'an operation is never changed');
END;

CREATE TRIGGER operations_are_kept BEFORE DELETE ON operations
BEGIN
  SELECT RAISE(ABORT, 'an operation is never deleted');
END;

CREATE TABLE scopes(
  scope_id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  indexed_episodes INTEGER NOT NULL DEFAULT 0 CHECK(indexed_episodes >= 0)
) STRICT;

CREATE TABLE sessions(
  session_id INTEGER PRIMARY KEY,
  scope_id INTEGER NOT NULL REFERENCES scopes,
  name TEXT NOT NULL,
  UNIQUE(scope_id, name)
) STRICT;

CREATE TABLE sources(
  source_id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE
) STRICT;

CREATE TABLE entities(
  entity_id INTEGER PRIMARY KEY,
  uid BLOB NOT NULL UNIQUE CHECK(length(uid) = 16),
  scope_id INTEGER NOT NULL REFERENCES scopes,
  kind TEXT NOT NULL,
  name TEXT NOT NULL,
  name_key TEXT NOT NULL,
  recorded INTEGER NOT NULL REFERENCES operations,
  UNIQUE(scope_id, kind, name_key)
) STRICT;

CREATE TABLE episodes(
  episode_id INTEGER PRIMARY KEY,
  uid BLOB NOT NULL UNIQUE CHECK(length(uid) = 16),
  scope_id INTEGER NOT NULL REFERENCES scopes,
  session_id INTEGER REFERENCES sessions,
  role TEXT NOT NULL CHECK(role IN ('user', 'assistant', 'system', 'tool', 'event', 'document')),
  speaker_id INTEGER REFERENCES entities,
  occurred_from INTEGER,
  occurred_to INTEGER,
  precision TEXT NOT NULL CHECK(precision IN
    ('instant', 'day', 'week', 'month', 'quarter', 'year', 'range', 'unknown')),
  zone TEXT,
  source_id INTEGER REFERENCES sources,
  external_id TEXT,
  recorded INTEGER NOT NULL REFERENCES operations,
  withdrawn INTEGER REFERENCES operations,
  visibility TEXT NOT NULL DEFAULT 'visible'
    CHECK(visibility IN ('visible', 'hidden', 'forgotten', 'purged')),
  sensitivity TEXT NOT NULL DEFAULT 'normal'
    CHECK(sensitivity IN ('normal', 'sensitive', 'restricted')),
  fingerprint BLOB UNIQUE,
  withdrawn_fingerprint BLOB,
  CHECK((precision = 'unknown') = (occurred_from IS NULL)),
  CHECK((occurred_from IS NULL) = (occurred_to IS NULL)),
  CHECK(occurred_from < occurred_to)
) STRICT;

CREATE INDEX episodes_by_session ON episodes(session_id) WHERE session_id IS NOT NULL;

CREATE INDEX episodes_withdrawn ON episodes(withdrawn) WHERE withdrawn IS NOT NULL;

CREATE TABLE episode_texts(
  episode_id INTEGER PRIMARY KEY REFERENCES episodes,
  text TEXT NOT NULL,
  meta TEXT
) STRICT;

CREATE TRIGGER episodes_are_append_only BEFORE UPDATE ON episodes
WHEN new.episode_id IS NOT old.episode_id OR new.uid IS NOT old.uid
  OR new.scope_id IS NOT old.scope_id OR new.session_id IS NOT old.session_id
  OR new.role IS NOT old.role OR new.occurred_from IS NOT old.occurred_from
  OR new.occurred_to IS NOT old.occurred_to OR new.precision IS NOT old.precision
  OR new.zone IS NOT old.zone OR new.recorded IS NOT old.recorded
  OR (new.speaker_id IS NOT old.speaker_id AND new.speaker_id IS NOT NULL)
  OR (new.source_id IS NOT old.source_id AND new.source_id IS NOT NULL)
  OR (new.external_id IS NOT old.external_id AND new.external_id IS NOT NULL)
BEGIN
  SELECT RAISE(ABORT, 'an episode is never changed');
END;

CREATE TRIGGER episodes_are_kept BEFORE DELETE ON episodes
BEGIN
  SELECT RAISE(ABORT, 'an episode is never deleted');
END;

CREATE TRIGGER episode_texts_are_not_edited BEFORE UPDATE ON episode_texts
BEGIN
  SELECT RAISE(ABORT, 'the text of an episode is never edited');
END;

CREATE TRIGGER episode_texts_are_not_replaced BEFORE INSERT ON episode_texts
WHEN EXISTS(SELECT 1 FROM episode_texts t WHERE t.episode_id = new.episode_id)
BEGIN
  SELECT RAISE(ABORT, 'the text of an episode is never edited');
END;

CREATE VIEW readable_operations AS
SELECT operation_id, hex(uid) AS uid, strftime('%Y-%m-%dT%H:%M:%fZ', at / 1000000.0, 'unixepoch') AS at,
  actor, kind, undoes
FROM operations;

CREATE VIEW readable_episodes AS
SELECT e.episode_id, hex(e.uid) AS uid, s.name AS scope, n.name AS session, e.role, p.name AS speaker,
  strftime('%Y-%m-%dT%H:%M:%fZ', e.occurred_from / 1000000.0, 'unixepoch') AS occurred_from,
  e.precision, e.zone, o.name AS source, e.external_id, e.recorded, e.visibility, t.text, t.meta
FROM episodes e
JOIN scopes s ON s.scope_id = e.scope_id
JOIN episode_texts t ON t.episode_id = e.episode_id
LEFT JOIN sessions n ON n.session_id = e.session_id
LEFT JOIN entities p ON p.entity_id = e.speaker_id
LEFT JOIN sources o ON o.source_id = e.source_id
WHERE e.visibility = 'visible' AND e.withdrawn IS NULL;

CREATE VIEW episode_documents AS
SELECT e.episode_id,
  memory_words(e.scope_id, t.text) AS body,
  iif(memory_context(e.scope_id, t.text) = '', '', (
    SELECT coalesce(group_concat(words, ' '), '') FROM (
      SELECT memory_context(e.scope_id, bt.text) AS words
      FROM episodes b JOIN episode_texts bt ON bt.episode_id = b.episode_id
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
FROM episodes e JOIN episode_texts t ON t.episode_id = e.episode_id
WHERE e.visibility = 'visible' AND e.withdrawn IS NULL;

CREATE VIRTUAL TABLE episode_index USING fts5(
  body, ctx,
  content = 'episode_documents', content_rowid = 'episode_id',
  tokenize = 'porter unicode61 remove_diacritics 2'
);
