-- Memory review: what is on trial until it was observed often enough, what users asked for outright,
-- removals that later observations respect, and the queue of packets that wait for a reviewer.

INSERT INTO operation_kinds(kind, is_undoable) VALUES('pause', 1);

-- A memory as reviews keep it. Its words live here while it is on trial, where no search looks.
CREATE TABLE review_records(
  review_record_id INTEGER PRIMARY KEY,
  uid BLOB NOT NULL UNIQUE CHECK(length(uid) = 16),
  scope_id INTEGER NOT NULL REFERENCES scopes,
  -- Keyed marks: of what it is about, and of its text; without the key they say nothing.
  identity BLOB CHECK(length(identity) = 16),
  text_mark BLOB CHECK(length(text_mark) = 16),
  authority TEXT NOT NULL CHECK(authority IN ('explicit', 'inferred')),
  state TEXT NOT NULL CHECK(state IN ('trial', 'proven', 'superseded', 'conflict')),
  shape TEXT CHECK(json_valid(shape)),
  fact_id INTEGER REFERENCES facts,
  corrects_id INTEGER REFERENCES facts,
  recorded_from INTEGER NOT NULL REFERENCES operations,
  recorded_to INTEGER NOT NULL DEFAULT 9223372036854775807,
  digest INTEGER NOT NULL GENERATED ALWAYS AS (memory_digest(
    review_record_id, uid, scope_id, identity, text_mark, authority, state, shape, fact_id,
    corrects_id, recorded_from, recorded_to)) STORED,
  CHECK((shape IS NULL) = (identity IS NULL)),
  CHECK(recorded_from <= recorded_to)
) STRICT;
CREATE INDEX review_records_of_identity ON review_records(scope_id, identity)
  WHERE recorded_to = 9223372036854775807;
CREATE INDEX review_records_of_text ON review_records(scope_id, text_mark)
  WHERE recorded_to = 9223372036854775807;
CREATE INDEX review_records_of_fact ON review_records(fact_id) WHERE fact_id IS NOT NULL;
CREATE INDEX review_records_correcting ON review_records(corrects_id)
  WHERE corrects_id IS NOT NULL;
CREATE TRIGGER review_records_stay_in_their_scope BEFORE INSERT ON review_records
WHEN (SELECT scope_id FROM facts WHERE fact_id = new.fact_id) <> new.scope_id
  OR (SELECT scope_id FROM facts WHERE fact_id = new.corrects_id) <> new.scope_id
BEGIN
  SELECT RAISE(ABORT, 'a memory and its fact are of one scope');
END;

-- What speaks for a memory: of which project and change, as keyed marks, and when.
CREATE TABLE review_observations(
  observation_id INTEGER PRIMARY KEY,
  review_record_id INTEGER NOT NULL REFERENCES review_records,
  project BLOB NOT NULL CHECK(length(project) = 16),
  change BLOB NOT NULL CHECK(length(change) = 16),
  observed_at INTEGER NOT NULL,
  recorded_from INTEGER NOT NULL REFERENCES operations,
  recorded_to INTEGER NOT NULL DEFAULT 9223372036854775807,
  digest INTEGER NOT NULL GENERATED ALWAYS AS (memory_digest(
    observation_id, review_record_id, project, change, observed_at, recorded_from, recorded_to))
    STORED,
  CHECK(recorded_from <= recorded_to)
) STRICT;
CREATE UNIQUE INDEX review_observations_once ON review_observations(
  review_record_id, project, change) WHERE recorded_to = 9223372036854775807;
CREATE INDEX review_observations_of_record ON review_observations(review_record_id);

-- What was removed: a permanent removal turns every later observation away, another those before it.
CREATE TABLE review_removals(
  removal_id INTEGER PRIMARY KEY,
  scope_id INTEGER NOT NULL REFERENCES scopes,
  identity BLOB NOT NULL CHECK(length(identity) = 16),
  is_permanent INTEGER NOT NULL CHECK(is_permanent IN (0, 1)),
  reason TEXT NOT NULL CHECK(reason <> ''),
  removed_at INTEGER NOT NULL,
  recorded_from INTEGER NOT NULL REFERENCES operations,
  recorded_to INTEGER NOT NULL DEFAULT 9223372036854775807,
  digest INTEGER NOT NULL GENERATED ALWAYS AS (memory_digest(
    removal_id, scope_id, identity, is_permanent, reason, removed_at, recorded_from, recorded_to))
    STORED,
  CHECK(recorded_from <= recorded_to)
) STRICT;
CREATE INDEX review_removals_of_identity ON review_removals(scope_id, identity)
  WHERE recorded_to = 9223372036854775807;

-- How the use of a memory went; the last word about each use counts.
CREATE TABLE review_uses(
  use_id INTEGER PRIMARY KEY,
  review_record_id INTEGER NOT NULL REFERENCES review_records,
  change BLOB NOT NULL CHECK(length(change) = 16),
  outcome TEXT NOT NULL CHECK(outcome IN ('used-successfully', 'ignored', 'overridden',
    'corrected', 'contributed-to-failure')),
  recorded_from INTEGER NOT NULL REFERENCES operations,
  recorded_to INTEGER NOT NULL DEFAULT 9223372036854775807,
  digest INTEGER NOT NULL GENERATED ALWAYS AS (memory_digest(
    use_id, review_record_id, change, outcome, recorded_from, recorded_to)) STORED,
  CHECK(recorded_from <= recorded_to)
) STRICT;
CREATE UNIQUE INDEX review_uses_once ON review_uses(review_record_id, change)
  WHERE recorded_to = 9223372036854775807;
CREATE INDEX review_uses_of_record ON review_uses(review_record_id);

CREATE TABLE review_pauses(
  pause_id INTEGER PRIMARY KEY,
  scope_id INTEGER NOT NULL REFERENCES scopes,
  recorded_from INTEGER NOT NULL REFERENCES operations,
  recorded_to INTEGER NOT NULL DEFAULT 9223372036854775807,
  digest INTEGER NOT NULL GENERATED ALWAYS AS (memory_digest(
    pause_id, scope_id, recorded_from, recorded_to)) STORED,
  CHECK(recorded_from <= recorded_to)
) STRICT;
CREATE UNIQUE INDEX review_pauses_once ON review_pauses(scope_id)
  WHERE recorded_to = 9223372036854775807;

-- Sets of actions that were applied, so that none is applied twice.
CREATE TABLE review_applied(
  applied_id INTEGER PRIMARY KEY,
  scope_id INTEGER NOT NULL REFERENCES scopes,
  fingerprint BLOB NOT NULL CHECK(length(fingerprint) = 16),
  recorded_from INTEGER NOT NULL REFERENCES operations,
  recorded_to INTEGER NOT NULL DEFAULT 9223372036854775807,
  digest INTEGER NOT NULL GENERATED ALWAYS AS (memory_digest(
    applied_id, scope_id, fingerprint, recorded_from, recorded_to)) STORED,
  CHECK(recorded_from <= recorded_to)
) STRICT;
CREATE UNIQUE INDEX review_applied_once ON review_applied(scope_id, fingerprint)
  WHERE recorded_to = 9223372036854775807;

-- Packets that wait for a reviewer. The packet goes as soon as it is decided on, or forgotten.
CREATE TABLE review_queue(
  queue_id INTEGER PRIMARY KEY,
  uid BLOB NOT NULL UNIQUE CHECK(length(uid) = 16),
  scope_id INTEGER NOT NULL REFERENCES scopes,
  global_id INTEGER REFERENCES scopes,
  fingerprint BLOB CHECK(length(fingerprint) = 16),
  packet TEXT CHECK(json_valid(packet)),
  evidence_count INTEGER NOT NULL CHECK(evidence_count >= 0),
  status TEXT NOT NULL CHECK(status IN ('pending', 'processing', 'waiting', 'failed', 'processed')),
  attempts INTEGER NOT NULL CHECK(attempts BETWEEN 0 AND 8),
  made_at INTEGER NOT NULL,
  next_at INTEGER NOT NULL,
  lease BLOB CHECK(length(lease) = 16),
  lease_until INTEGER,
  last_error TEXT CHECK(length(last_error) <= 2000),
  outcome TEXT,
  digest INTEGER NOT NULL GENERATED ALWAYS AS (memory_digest(
    queue_id, uid, scope_id, global_id, fingerprint, packet, evidence_count, status, attempts,
    made_at, next_at, lease, lease_until, last_error, outcome)) STORED,
  CHECK((status = 'processing') = (lease IS NOT NULL)),
  CHECK((lease IS NULL) = (lease_until IS NULL))
) STRICT;
CREATE UNIQUE INDEX review_queue_once ON review_queue(scope_id, fingerprint)
  WHERE fingerprint IS NOT NULL;
CREATE INDEX review_queue_waiting ON review_queue(scope_id, next_at)
  WHERE status IN ('pending', 'processing', 'waiting');
