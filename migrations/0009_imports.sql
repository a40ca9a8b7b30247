-- Imports: jobs that outlive the process, their items, and what was decided between facts that no
-- timeline joins.

INSERT INTO operation_kinds(kind, is_undoable) VALUES ('import', 1);

-- "text" is the document as it came, until it is an episode; "processed" counts decided items,
-- "applied" those that were carried out. "position" is the last operation of the scope that the
-- decisions know of. A job whose operation is taken back is undone: that stands in no column.
CREATE TABLE import_jobs(
  job_id INTEGER PRIMARY KEY,
  uid BLOB NOT NULL UNIQUE CHECK(length(uid) = 16),
  scope_id INTEGER NOT NULL REFERENCES scopes,
  format TEXT NOT NULL CHECK(format <> ''),
  source TEXT NOT NULL,
  settings TEXT NOT NULL CHECK(json_valid(settings)),
  state TEXT NOT NULL CHECK(state IN ('extracting', 'processing', 'awaiting_confirmation', 'ready',
    'failed', 'committed')),
  text TEXT,
  processed INTEGER NOT NULL DEFAULT 0 CHECK(processed BETWEEN 0 AND total),
  total INTEGER NOT NULL DEFAULT 0,
  waiting INTEGER NOT NULL DEFAULT 0 CHECK(waiting >= 0),
  applied INTEGER NOT NULL DEFAULT 0 CHECK(applied BETWEEN 0 AND total),
  imported INTEGER NOT NULL DEFAULT 0 CHECK(imported >= 0),
  dropped INTEGER NOT NULL DEFAULT 0 CHECK(dropped >= 0),
  is_recovered INTEGER NOT NULL DEFAULT 0 CHECK(is_recovered IN (0, 1)),
  parse_error TEXT CHECK(length(parse_error) <= 2000),
  last_error TEXT CHECK(length(last_error) <= 2000),
  position INTEGER NOT NULL,
  operation_id INTEGER REFERENCES operations,
  episode_id INTEGER REFERENCES episodes,
  made_at INTEGER NOT NULL,
  changed_at INTEGER NOT NULL,
  visibility TEXT NOT NULL DEFAULT 'visible'
    CHECK(visibility IN ('visible', 'hidden', 'forgotten')),
  digest INTEGER NOT NULL GENERATED ALWAYS AS (memory_digest(
    job_id, uid, scope_id, format, source, settings, state, text, processed, total, waiting,
    applied, imported, dropped, is_recovered, parse_error, last_error, position, operation_id,
    episode_id, made_at, changed_at, visibility)) STORED
) STRICT;
CREATE INDEX import_jobs_by_scope ON import_jobs(scope_id);
CREATE INDEX import_jobs_of_episode ON import_jobs(episode_id) WHERE episode_id IS NOT NULL;
CREATE INDEX import_jobs_of_operation ON import_jobs(operation_id)
  WHERE operation_id IS NOT NULL;

-- "content" is what the format has read, in its own form; it goes once the item has become a
-- candidate, which says the same. "offered" are the facts that the decision was made among, and
-- "targets" those it names, by their ids. "chosen" is what a person has put in place of "action".
CREATE TABLE import_items(
  item_id INTEGER PRIMARY KEY,
  job_id INTEGER NOT NULL REFERENCES import_jobs,
  number INTEGER NOT NULL CHECK(number >= 0),
  label TEXT,
  content TEXT,
  fingerprint BLOB CHECK(length(fingerprint) = 16),
  offered TEXT CHECK(json_valid(offered)),
  action TEXT CHECK(action IN ('ADD', 'MERGE', 'SUPERSEDE', 'CONFLICT', 'IGNORE')),
  targets TEXT CHECK(json_valid(targets)),
  merged TEXT,
  reason TEXT CHECK(length(reason) <= 500),
  confidence REAL CHECK(confidence BETWEEN 0 AND 1),
  waits INTEGER NOT NULL DEFAULT 0 CHECK(waits IN (0, 1)),
  chosen TEXT CHECK(chosen IN ('ADD', 'MERGE', 'SUPERSEDE', 'CONFLICT', 'IGNORE')),
  outcome TEXT,
  candidate_id INTEGER REFERENCES candidates,
  fact_id INTEGER REFERENCES facts,
  visibility TEXT NOT NULL DEFAULT 'visible'
    CHECK(visibility IN ('visible', 'hidden', 'forgotten')),
  digest INTEGER NOT NULL GENERATED ALWAYS AS (memory_digest(
    item_id, job_id, number, label, content, fingerprint, offered, action, targets, merged, reason,
    confidence, waits, chosen, outcome, candidate_id, fact_id, visibility)) STORED,
  UNIQUE(job_id, number)
) STRICT;
CREATE INDEX import_items_alike ON import_items(fingerprint) WHERE fingerprint IS NOT NULL;
CREATE INDEX import_items_of_candidate ON import_items(candidate_id)
  WHERE candidate_id IS NOT NULL;
CREATE INDEX import_items_of_fact ON import_items(fact_id) WHERE fact_id IS NOT NULL;
CREATE INDEX import_items_waiting ON import_items(job_id, number) WHERE waits = 1;
CREATE INDEX import_items_with_content ON import_items(job_id)
  WHERE content IS NOT NULL OR label IS NOT NULL;

-- What an importer has decided between two facts: one takes the place of the other, or they
-- contradict each other. The links, the validity and the lifecycle that follow are derived from it.
CREATE TABLE decided_links(
  decided_link_id INTEGER PRIMARY KEY,
  kind TEXT NOT NULL CHECK(kind IN ('SUPERSEDES', 'CONTRADICTS')),
  from_fact_id INTEGER NOT NULL REFERENCES facts,
  to_fact_id INTEGER NOT NULL REFERENCES facts,
  recorded_from INTEGER NOT NULL REFERENCES operations,
  recorded_to INTEGER NOT NULL DEFAULT 9223372036854775807,
  digest INTEGER NOT NULL GENERATED ALWAYS AS (memory_digest(
    decided_link_id, kind, from_fact_id, to_fact_id, recorded_from, recorded_to)) STORED,
  CHECK(from_fact_id <> to_fact_id),
  CHECK(recorded_from <= recorded_to)
) STRICT;
CREATE UNIQUE INDEX decided_links_once ON decided_links(from_fact_id, to_fact_id, kind)
  WHERE recorded_to = 9223372036854775807;
CREATE INDEX decided_links_back ON decided_links(to_fact_id);
CREATE INDEX decided_links_from ON decided_links(from_fact_id);

CREATE TRIGGER decided_links_stay_in_their_scope BEFORE INSERT ON decided_links
WHEN (SELECT scope_id FROM facts WHERE fact_id = new.from_fact_id)
  IS NOT (SELECT scope_id FROM facts WHERE fact_id = new.to_fact_id)
BEGIN
  SELECT RAISE(ABORT, 'a link is between facts of one scope');
END;
