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

CREATE TABLE scopes(
  scope_id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  indexed_episodes INTEGER NOT NULL DEFAULT 0 CHECK(indexed_episodes >= 0)
, indexed_facts INTEGER NOT NULL DEFAULT 0 CHECK(indexed_facts >= 0)) STRICT;

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

CREATE VIRTUAL TABLE episode_index USING fts5(
  body, ctx,
  content = 'episode_documents', content_rowid = 'episode_id',
  tokenize = 'porter unicode61 remove_diacritics 2'
);

CREATE TABLE operation_kinds(
  kind TEXT PRIMARY KEY CHECK(kind <> ''),
  is_undoable INTEGER NOT NULL CHECK(is_undoable IN (0, 1))
) STRICT, WITHOUT ROWID;

CREATE TABLE predicates(
  predicate_id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE CHECK(name <> '')
) STRICT;

CREATE VIRTUAL TABLE fact_index USING fts5(
  body, ctx,
  content = 'fact_documents', content_rowid = 'fact_id',
  tokenize = 'porter unicode61 remove_diacritics 2'
);

CREATE TABLE 'fact_index_data'(id INTEGER PRIMARY KEY, block BLOB);

CREATE TABLE 'fact_index_idx'(segid, term, pgno, PRIMARY KEY(segid, term)) WITHOUT ROWID;

CREATE TABLE 'fact_index_docsize'(id INTEGER PRIMARY KEY, sz BLOB);

CREATE TABLE 'fact_index_config'(k PRIMARY KEY, v) WITHOUT ROWID;

CREATE TABLE harvests(
  harvest_id INTEGER PRIMARY KEY,
  scope_id INTEGER NOT NULL REFERENCES scopes,
  proposer TEXT NOT NULL CHECK(proposer <> ''),
  version TEXT NOT NULL CHECK(version <> ''),
  last_episode_id INTEGER NOT NULL REFERENCES episodes,
  recorded_from INTEGER NOT NULL REFERENCES operations,
  recorded_to INTEGER NOT NULL DEFAULT 9223372036854775807,
  CHECK(recorded_from < recorded_to)
) STRICT;

CREATE INDEX harvests_of_proposer ON harvests(scope_id, proposer, version, last_episode_id)
  WHERE recorded_to = 9223372036854775807;

CREATE TABLE upkeep(
  upkeep_id INTEGER PRIMARY KEY CHECK(upkeep_id = 1),
  needs_rebuild INTEGER NOT NULL CHECK(needs_rebuild IN (0, 1))
) STRICT;

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

CREATE TABLE suppression_keys(
  key_id INTEGER PRIMARY KEY,
  key_check BLOB CHECK(length(key_check) = 16),
  recorded_from INTEGER NOT NULL REFERENCES operations,
  recorded_to INTEGER NOT NULL DEFAULT 9223372036854775807
) STRICT;

CREATE TABLE "operations"(
  operation_id INTEGER PRIMARY KEY,
  uid BLOB NOT NULL UNIQUE CHECK(length(uid) = 16),
  at INTEGER NOT NULL,
  actor TEXT NOT NULL,
  kind TEXT NOT NULL REFERENCES operation_kinds,
  scope_id INTEGER REFERENCES scopes,
  undoes INTEGER REFERENCES operations,
  -- The last entry of the receipts when this was recorded: the two chains hold each other.
  after_entry_id INTEGER REFERENCES receipt_entries,
  hash BLOB NOT NULL CHECK(length(hash) = 32),
  digest INTEGER NOT NULL GENERATED ALWAYS AS (memory_digest(
    operation_id, uid, at, actor, kind, scope_id, undoes, after_entry_id, hash)) STORED
) STRICT;

CREATE TABLE "operation_rows"(
  operation_id INTEGER NOT NULL REFERENCES operations,
  record TEXT NOT NULL CHECK(record <> ''),
  first_id INTEGER NOT NULL,
  last_id INTEGER NOT NULL CHECK(first_id <= last_id),
  digest INTEGER NOT NULL GENERATED ALWAYS AS (memory_digest(
    operation_id, record, first_id, last_id)) STORED,
  PRIMARY KEY(operation_id, record, first_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE "changes"(
  change_id INTEGER PRIMARY KEY,
  operation_id INTEGER NOT NULL REFERENCES operations,
  record TEXT NOT NULL,
  row_id INTEGER NOT NULL,
  field TEXT NOT NULL,
  old ANY,
  new ANY,
  digest INTEGER NOT NULL GENERATED ALWAYS AS (memory_digest(
    change_id, operation_id, record, row_id, field, old, new)) STORED
) STRICT;

CREATE TABLE "entities"(
  entity_id INTEGER PRIMARY KEY,
  uid BLOB NOT NULL UNIQUE CHECK(length(uid) = 16),
  scope_id INTEGER NOT NULL REFERENCES scopes,
  kind TEXT NOT NULL CHECK(kind <> ''),
  name TEXT NOT NULL,
  name_key TEXT NOT NULL,
  distinction TEXT NOT NULL DEFAULT '',
  merged_into INTEGER REFERENCES entities,
  recorded INTEGER NOT NULL REFERENCES operations,
  visibility TEXT NOT NULL DEFAULT 'visible'
    CHECK(visibility IN ('visible', 'forgotten')),
  digest INTEGER NOT NULL GENERATED ALWAYS AS (memory_digest(
    entity_id, uid, scope_id, kind, name, name_key, distinction, merged_into, recorded,
    visibility)) STORED,
  UNIQUE(scope_id, name_key, kind, distinction),
  CHECK(merged_into IS NOT entity_id)
) STRICT;

CREATE TABLE "aliases"(
  alias_id INTEGER PRIMARY KEY,
  entity_id INTEGER NOT NULL REFERENCES entities,
  scope_id INTEGER NOT NULL REFERENCES scopes,
  name TEXT NOT NULL,
  name_key TEXT NOT NULL,
  recorded_from INTEGER NOT NULL REFERENCES operations,
  recorded_to INTEGER NOT NULL DEFAULT 9223372036854775807,
  digest INTEGER NOT NULL GENERATED ALWAYS AS (memory_digest(
    alias_id, entity_id, scope_id, name, name_key, recorded_from, recorded_to)) STORED,
  CHECK(recorded_from <= recorded_to)
) STRICT;

CREATE TABLE "predicate_versions"(
  version_id INTEGER PRIMARY KEY,
  predicate_id INTEGER NOT NULL REFERENCES predicates,
  domain TEXT NOT NULL,
  label_en TEXT NOT NULL,
  label_zh TEXT NOT NULL,
  aliases TEXT NOT NULL CHECK(json_valid(aliases)),
  fact_type TEXT NOT NULL CHECK(fact_type IN ('core_identity', 'stable_preference',
    'transient_context', 'relational_state', 'commitment', 'significant_event', 'note')),
  cardinality TEXT NOT NULL CHECK(cardinality IN ('single', 'multi', 'temporal_multi')),
  conflict_policy TEXT NOT NULL
    CHECK(conflict_policy IN ('supersede', 'coexist', 'merge', 'expire', 'review')),
  temporal TEXT NOT NULL
    CHECK(temporal IN ('state', 'event', 'preference', 'habit', 'commitment')),
  object_kind TEXT NOT NULL CHECK(object_kind IN ('entity', 'literal', 'either')),
  value_type TEXT NOT NULL CHECK(value_type IN ('text', 'number', 'date')),
  subject_kinds TEXT NOT NULL CHECK(json_valid(subject_kinds)),
  object_kinds TEXT NOT NULL CHECK(json_valid(object_kinds)),
  opposite TEXT,
  is_ranked INTEGER NOT NULL CHECK(is_ranked IN (0, 1)),
  tau_days REAL NOT NULL CHECK(tau_days > 0),
  importance REAL NOT NULL CHECK(importance BETWEEN 0 AND 1),
  is_sensitive INTEGER NOT NULL CHECK(is_sensitive IN (0, 1)),
  allow_inference INTEGER NOT NULL CHECK(allow_inference IN (0, 1)),
  allow_assistant_source INTEGER NOT NULL CHECK(allow_assistant_source IN (0, 1)),
  allow_agent_subject INTEGER NOT NULL CHECK(allow_agent_subject IN (0, 1)),
  is_denial INTEGER NOT NULL CHECK(is_denial IN (0, 1)),
  min_evidence INTEGER NOT NULL CHECK(min_evidence BETWEEN 1 AND 100),
  recorded_from INTEGER NOT NULL REFERENCES operations,
  recorded_to INTEGER NOT NULL DEFAULT 9223372036854775807,
  digest INTEGER NOT NULL GENERATED ALWAYS AS (memory_digest(
    version_id, predicate_id, domain, label_en, label_zh, aliases, fact_type, cardinality,
    conflict_policy, temporal, object_kind, value_type, subject_kinds, object_kinds, opposite,
    is_ranked, tau_days, importance, is_sensitive, allow_inference, allow_assistant_source,
    allow_agent_subject, is_denial, min_evidence, recorded_from, recorded_to)) STORED,
  CHECK(recorded_from <= recorded_to)
) STRICT;

CREATE TABLE "facts"(
  fact_id INTEGER PRIMARY KEY,
  uid BLOB NOT NULL UNIQUE CHECK(length(uid) = 16),
  scope_id INTEGER NOT NULL REFERENCES scopes,
  timeline_id INTEGER NOT NULL REFERENCES facts,
  subject_id INTEGER NOT NULL REFERENCES entities,
  predicate_id INTEGER NOT NULL REFERENCES predicates,
  object_id INTEGER REFERENCES entities,
  object_value TEXT,
  object_key TEXT NOT NULL,
  rank INTEGER CHECK(rank >= 1),
  fact_type TEXT NOT NULL CHECK(fact_type IN ('core_identity', 'stable_preference', 'transient_context',
    'relational_state', 'commitment', 'significant_event', 'note')),
  confidence REAL NOT NULL CHECK(confidence BETWEEN 0 AND 1),
  importance REAL NOT NULL CHECK(importance BETWEEN 0 AND 1),
  valence REAL CHECK(valence BETWEEN -1 AND 1),
  arousal REAL CHECK(arousal BETWEEN 0 AND 1),
  sensitivity TEXT NOT NULL DEFAULT 'normal'
    CHECK(sensitivity IN ('normal', 'sensitive', 'restricted')),
  validity TEXT NOT NULL CHECK(validity IN ('valid', 'invalidated', 'uncertain')),
  visibility TEXT NOT NULL DEFAULT 'visible'
    CHECK(visibility IN ('visible', 'hidden', 'forgotten', 'purged')),
  lifecycle TEXT NOT NULL DEFAULT 'active'
    CHECK(lifecycle IN ('active', 'consolidated', 'archived', 'deep_archived')),
  attributed_to INTEGER REFERENCES entities,
  event_type TEXT,
  event_status TEXT
    CHECK(event_status IN ('planned', 'occurred', 'cancelled', 'ongoing', 'unknown')),
  is_pinned INTEGER NOT NULL DEFAULT 0 CHECK(is_pinned IN (0, 1)),
  claim_key TEXT,
  support INTEGER NOT NULL DEFAULT 0 CHECK(support >= 0),
  -- What it was admitted on: at commit it is there, so no fact is without evidence.
  first_evidence_id INTEGER NOT NULL REFERENCES evidence DEFERRABLE INITIALLY DEFERRED,
  recorded INTEGER NOT NULL REFERENCES operations,
  digest INTEGER NOT NULL GENERATED ALWAYS AS (memory_digest(
    fact_id, uid, scope_id, timeline_id, subject_id, predicate_id, object_id, object_value,
    object_key, rank, fact_type, confidence, importance, valence, arousal, sensitivity,
    validity, visibility, lifecycle, attributed_to, event_type, event_status, is_pinned,
    claim_key, support, first_evidence_id, recorded)) STORED,
  CHECK((object_id IS NULL) <> (object_value IS NULL))
) STRICT;

CREATE TABLE "fact_periods"(
  period_id INTEGER PRIMARY KEY,
  fact_id INTEGER NOT NULL REFERENCES facts,
  timeline_id INTEGER NOT NULL,
  subject_id INTEGER NOT NULL,
  predicate_id INTEGER NOT NULL,
  valid_from INTEGER NOT NULL,
  valid_to INTEGER NOT NULL,
  from_precision TEXT NOT NULL CHECK(from_precision IN
    ('instant', 'day', 'week', 'month', 'quarter', 'year', 'range', 'unknown')),
  from_basis TEXT NOT NULL CHECK(from_basis IN
    ('explicit', 'relative', 'inferred', 'unknown', 'asserted', 'policy')),
  to_precision TEXT NOT NULL CHECK(to_precision IN
    ('instant', 'day', 'week', 'month', 'quarter', 'year', 'range', 'unknown')),
  to_basis TEXT NOT NULL CHECK(to_basis IN
    ('explicit', 'relative', 'inferred', 'unknown', 'asserted', 'policy')),
  ended_by TEXT NOT NULL CHECK(ended_by IN ('nothing', 'statement', 'expiry', 'successor')),
  certainty TEXT NOT NULL CHECK(certainty IN ('asserted', 'uncertain')),
  recorded_from INTEGER NOT NULL REFERENCES operations,
  recorded_to INTEGER NOT NULL DEFAULT 9223372036854775807,
  digest INTEGER NOT NULL GENERATED ALWAYS AS (memory_digest(
    period_id, fact_id, timeline_id, subject_id, predicate_id, valid_from, valid_to,
    from_precision, from_basis, to_precision, to_basis, ended_by, certainty, recorded_from,
    recorded_to)) STORED,
  CHECK(valid_from < valid_to),
  CHECK(recorded_from < recorded_to)
) STRICT;

CREATE TABLE "evidence"(
  evidence_id INTEGER PRIMARY KEY,
  fact_id INTEGER NOT NULL REFERENCES facts,
  timeline_id INTEGER NOT NULL,
  episode_id INTEGER NOT NULL REFERENCES episodes,
  span_from INTEGER NOT NULL CHECK(span_from >= 0),
  span_to INTEGER NOT NULL,
  candidate_id INTEGER REFERENCES candidates,
  starts INTEGER NOT NULL,
  ends INTEGER NOT NULL,
  from_precision TEXT NOT NULL CHECK(from_precision IN
    ('instant', 'day', 'week', 'month', 'quarter', 'year', 'range', 'unknown')),
  from_basis TEXT NOT NULL CHECK(from_basis IN
    ('explicit', 'relative', 'inferred', 'unknown', 'asserted', 'policy')),
  to_precision TEXT NOT NULL CHECK(to_precision IN
    ('instant', 'day', 'week', 'month', 'quarter', 'year', 'range', 'unknown')),
  to_basis TEXT NOT NULL CHECK(to_basis IN
    ('explicit', 'relative', 'inferred', 'unknown', 'asserted', 'policy')),
  ended_by TEXT NOT NULL CHECK(ended_by IN ('nothing', 'statement', 'expiry')),
  asserted_at INTEGER,
  source_class TEXT NOT NULL CHECK(source_class IN
    ('person', 'user', 'document', 'event', 'assistant', 'tool', 'system')),
  reliability REAL NOT NULL CHECK(reliability BETWEEN 0 AND 1),
  occasion INTEGER NOT NULL,
  recorded_from INTEGER NOT NULL REFERENCES operations,
  recorded_to INTEGER NOT NULL DEFAULT 9223372036854775807,
  digest INTEGER NOT NULL GENERATED ALWAYS AS (memory_digest(
    evidence_id, fact_id, timeline_id, episode_id, span_from, span_to, candidate_id, starts,
    ends, from_precision, from_basis, to_precision, to_basis, ended_by, asserted_at,
    source_class, reliability, occasion, recorded_from, recorded_to)) STORED,
  CHECK(span_from < span_to),
  CHECK(starts < ends),
  CHECK(recorded_from <= recorded_to)
) STRICT;

CREATE TABLE "links"(
  link_id INTEGER PRIMARY KEY,
  kind TEXT NOT NULL CHECK(kind IN ('SUPERSEDES', 'CONTRADICTS', 'CORRECTS', 'MERGED_FROM',
    'DERIVED_FROM', 'ABOUT_ENTITY', 'CAUSED_BY', 'EXPLAINS', 'SUPPORTS', 'INHIBITS', 'PRECEDES',
    'PART_OF', 'RELATED_TO')),
  from_fact_id INTEGER NOT NULL REFERENCES facts,
  to_fact_id INTEGER REFERENCES facts,
  to_entity_id INTEGER REFERENCES entities,
  recorded_from INTEGER NOT NULL REFERENCES operations,
  recorded_to INTEGER NOT NULL DEFAULT 9223372036854775807,
  digest INTEGER NOT NULL GENERATED ALWAYS AS (memory_digest(
    link_id, kind, from_fact_id, to_fact_id, to_entity_id, recorded_from, recorded_to)) STORED,
  CHECK((to_fact_id IS NULL) <> (to_entity_id IS NULL)),
  CHECK((kind = 'ABOUT_ENTITY') = (to_entity_id IS NOT NULL)),
  CHECK(from_fact_id IS NOT to_fact_id),
  CHECK(recorded_from <= recorded_to)
) STRICT;

CREATE TABLE "candidates"(
  candidate_id INTEGER PRIMARY KEY,
  uid BLOB NOT NULL UNIQUE CHECK(length(uid) = 16),
  scope_id INTEGER NOT NULL REFERENCES scopes,
  proposer TEXT NOT NULL CHECK(proposer IN ('file', 'person', 'rules', 'model')),
  place TEXT NOT NULL,
  state TEXT NOT NULL CHECK(state IN ('pending', 'review', 'decided', 'edited')),
  statement TEXT CHECK(json_valid(statement)),
  identity BLOB,
  fingerprint BLOB,
  recorded_from INTEGER NOT NULL REFERENCES operations,
  recorded_to INTEGER NOT NULL DEFAULT 9223372036854775807,
  digest INTEGER NOT NULL GENERATED ALWAYS AS (memory_digest(
    candidate_id, uid, scope_id, proposer, place, state, statement, identity, fingerprint,
    recorded_from, recorded_to)) STORED,
  CHECK(recorded_from <= recorded_to)
) STRICT;

CREATE TABLE "candidate_evidence"(
  candidate_id INTEGER NOT NULL REFERENCES candidates,
  episode_id INTEGER NOT NULL REFERENCES episodes,
  span_from INTEGER NOT NULL CHECK(span_from >= 0),
  span_to INTEGER NOT NULL,
  digest INTEGER NOT NULL GENERATED ALWAYS AS (memory_digest(
    candidate_id, episode_id, span_from, span_to)) STORED,
  PRIMARY KEY(candidate_id, episode_id, span_from),
  CHECK(span_from < span_to)
) STRICT, WITHOUT ROWID;

CREATE TABLE "decisions"(
  decision_id INTEGER PRIMARY KEY,
  candidate_id INTEGER NOT NULL REFERENCES candidates,
  kind TEXT NOT NULL CHECK(kind IN ('add', 'reinforce', 'supersede', 'history', 'merge', 'correct',
    'conflict', 'ignore', 'review', 'reject')),
  reason TEXT NOT NULL CHECK(reason <> ''),
  fact_id INTEGER REFERENCES facts,
  target_id INTEGER REFERENCES facts,
  recorded_from INTEGER NOT NULL REFERENCES operations,
  recorded_to INTEGER NOT NULL DEFAULT 9223372036854775807,
  digest INTEGER NOT NULL GENERATED ALWAYS AS (memory_digest(
    decision_id, candidate_id, kind, reason, fact_id, target_id, recorded_from, recorded_to)) STORED,
  CHECK(recorded_from <= recorded_to)
) STRICT;

CREATE TABLE "review_items"(
  review_item_id INTEGER PRIMARY KEY,
  candidate_id INTEGER NOT NULL REFERENCES candidates,
  proposed TEXT NOT NULL CHECK(proposed IN ('add', 'reinforce', 'supersede', 'history', 'merge',
    'correct', 'conflict', 'ignore', 'review', 'reject')),
  reason TEXT NOT NULL CHECK(reason <> ''),
  fact_id INTEGER REFERENCES facts,
  target_id INTEGER REFERENCES facts,
  state TEXT NOT NULL CHECK(state IN ('open', 'admitted', 'rejected', 'edited')),
  verdict TEXT,
  recorded_from INTEGER NOT NULL REFERENCES operations,
  recorded_to INTEGER NOT NULL DEFAULT 9223372036854775807,
  digest INTEGER NOT NULL GENERATED ALWAYS AS (memory_digest(
    review_item_id, candidate_id, proposed, reason, fact_id, target_id, state, verdict,
    recorded_from, recorded_to)) STORED,
  CHECK(recorded_from <= recorded_to)
) STRICT;

CREATE TABLE "quarantined"(
  quarantined_id INTEGER PRIMARY KEY,
  scope_id INTEGER NOT NULL REFERENCES scopes,
  place TEXT NOT NULL,
  code TEXT NOT NULL,
  reason TEXT NOT NULL,
  text TEXT,
  fingerprint BLOB,
  recorded_from INTEGER NOT NULL REFERENCES operations,
  recorded_to INTEGER NOT NULL DEFAULT 9223372036854775807,
  visibility TEXT NOT NULL DEFAULT 'visible'
    CHECK(visibility IN ('visible', 'hidden', 'forgotten')),
  digest INTEGER NOT NULL GENERATED ALWAYS AS (memory_digest(
    quarantined_id, scope_id, place, code, reason, text, fingerprint, recorded_from,
    recorded_to, visibility)) STORED,
  CHECK(recorded_from <= recorded_to)
) STRICT;

CREATE TABLE "episodes"(
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
  digest INTEGER NOT NULL GENERATED ALWAYS AS (memory_digest(
    episode_id, uid, scope_id, session_id, role, speaker_id, occurred_from, occurred_to,
    precision, zone, source_id, external_id, recorded, withdrawn, visibility, sensitivity,
    fingerprint, withdrawn_fingerprint)) STORED,
  CHECK((precision = 'unknown') = (occurred_from IS NULL)),
  CHECK((occurred_from IS NULL) = (occurred_to IS NULL)),
  CHECK(occurred_from < occurred_to)
) STRICT;

CREATE TABLE "episode_texts"(
  episode_id INTEGER PRIMARY KEY REFERENCES episodes,
  text TEXT NOT NULL,
  meta TEXT,
  shown TEXT,
  digest INTEGER NOT NULL GENERATED ALWAYS AS (memory_digest(episode_id, text, meta, shown)) STORED
) STRICT;

CREATE TABLE "struck_spans"(
  struck_id INTEGER PRIMARY KEY,
  episode_id INTEGER NOT NULL REFERENCES episodes,
  span_from INTEGER NOT NULL CHECK(span_from >= 0),
  span_to INTEGER NOT NULL,
  recorded_from INTEGER NOT NULL REFERENCES operations,
  recorded_to INTEGER NOT NULL DEFAULT 9223372036854775807,
  digest INTEGER NOT NULL GENERATED ALWAYS AS (memory_digest(
    struck_id, episode_id, span_from, span_to, recorded_from, recorded_to)) STORED,
  CHECK(span_from < span_to),
  CHECK(recorded_from <= recorded_to)
) STRICT;

CREATE TABLE "suppressions"(
  suppression_id INTEGER PRIMARY KEY,
  uid BLOB UNIQUE CHECK(length(uid) = 16),
  entry_id INTEGER NOT NULL REFERENCES suppressions,
  scope_id INTEGER NOT NULL REFERENCES scopes,
  kind TEXT NOT NULL CHECK(kind IN ('statement', 'text', 'message')),
  fingerprint BLOB NOT NULL CHECK(length(fingerprint) = 16),
  receipt_id INTEGER NOT NULL REFERENCES receipts,
  recorded_from INTEGER NOT NULL REFERENCES operations,
  recorded_to INTEGER NOT NULL DEFAULT 9223372036854775807,
  digest INTEGER NOT NULL GENERATED ALWAYS AS (memory_digest(
    suppression_id, uid, entry_id, scope_id, kind, fingerprint, receipt_id, recorded_from,
    recorded_to)) STORED,
  CHECK((uid IS NOT NULL) = (entry_id = suppression_id)),
  CHECK(recorded_from <= recorded_to)
) STRICT;

CREATE INDEX episodes_by_session ON episodes(session_id) WHERE session_id IS NOT NULL;

CREATE INDEX episodes_withdrawn ON episodes(withdrawn) WHERE withdrawn IS NOT NULL;

CREATE INDEX operations_by_undone ON operations(undoes) WHERE undoes IS NOT NULL;

CREATE INDEX changes_by_operation ON changes(operation_id);

CREATE INDEX aliases_by_name ON aliases(scope_id, name_key)
  WHERE recorded_to = 9223372036854775807;

CREATE UNIQUE INDEX aliases_once ON aliases(entity_id, name_key)
  WHERE recorded_to = 9223372036854775807;

CREATE UNIQUE INDEX predicate_versions_once ON predicate_versions(predicate_id)
  WHERE recorded_to = 9223372036854775807;

CREATE UNIQUE INDEX facts_once ON facts(subject_id, predicate_id, object_key, coalesce(rank, 0));

CREATE INDEX facts_by_scope ON facts(scope_id);

CREATE INDEX facts_by_first_evidence ON facts(first_evidence_id);

CREATE INDEX facts_by_object ON facts(object_id) WHERE object_id IS NOT NULL;

CREATE INDEX fact_periods_as_of ON fact_periods(subject_id, predicate_id, recorded_to, valid_to,
  valid_from, recorded_from, fact_id, certainty);

CREATE INDEX fact_periods_of_timeline ON fact_periods(timeline_id, valid_to)
  WHERE recorded_to = 9223372036854775807;

CREATE INDEX fact_periods_of_fact ON fact_periods(fact_id, recorded_to);

CREATE UNIQUE INDEX evidence_once ON evidence(fact_id, episode_id, span_from, starts, ends)
  WHERE recorded_to = 9223372036854775807;

CREATE INDEX evidence_of_timeline ON evidence(timeline_id, starts)
  WHERE recorded_to = 9223372036854775807;

CREATE INDEX evidence_ended ON evidence(fact_id) WHERE recorded_to < 9223372036854775807;

CREATE INDEX evidence_of_episode ON evidence(episode_id);

CREATE INDEX evidence_of_candidate ON evidence(candidate_id);

CREATE UNIQUE INDEX links_once ON links(from_fact_id, kind, coalesce(to_fact_id, 0),
  coalesce(to_entity_id, 0))
  WHERE recorded_to = 9223372036854775807;

CREATE INDEX links_back ON links(to_fact_id) WHERE to_fact_id IS NOT NULL;

CREATE UNIQUE INDEX candidates_once ON candidates(fingerprint)
  WHERE recorded_to = 9223372036854775807 AND fingerprint IS NOT NULL;

CREATE INDEX candidates_waiting ON candidates(scope_id, state)
  WHERE recorded_to = 9223372036854775807 AND state IN ('pending', 'review');

CREATE INDEX candidates_alike ON candidates(identity)
  WHERE recorded_to = 9223372036854775807 AND state = 'review';

CREATE INDEX candidate_evidence_of_episode ON candidate_evidence(episode_id);

CREATE UNIQUE INDEX decisions_once ON decisions(candidate_id)
  WHERE recorded_to = 9223372036854775807;

CREATE INDEX decisions_of_fact ON decisions(fact_id) WHERE fact_id IS NOT NULL;

CREATE UNIQUE INDEX review_items_open ON review_items(candidate_id)
  WHERE recorded_to = 9223372036854775807 AND state = 'open';

CREATE INDEX review_items_of_candidate ON review_items(candidate_id);

CREATE UNIQUE INDEX quarantined_once ON quarantined(fingerprint)
  WHERE recorded_to = 9223372036854775807 AND fingerprint IS NOT NULL;

CREATE INDEX quarantined_by_scope ON quarantined(scope_id);

CREATE INDEX episodes_by_external_id ON episodes(scope_id, external_id)
  WHERE external_id IS NOT NULL;

CREATE INDEX struck_spans_of_episode ON struck_spans(episode_id)
  WHERE recorded_to = 9223372036854775807;

CREATE INDEX decisions_ended ON decisions(candidate_id)
  WHERE recorded_to < 9223372036854775807;

CREATE INDEX decisions_of_target ON decisions(target_id) WHERE target_id IS NOT NULL;

CREATE INDEX decisions_that_suppressed ON decisions(candidate_id)
  WHERE reason = 'suppressed' AND recorded_to = 9223372036854775807;

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

CREATE INDEX entities_who_speak ON entities(scope_id, kind) WHERE kind IN ('person', 'agent');

CREATE INDEX changes_of_row ON changes(row_id, record);

CREATE UNIQUE INDEX suppressions_once ON suppressions(scope_id, kind, fingerprint, entry_id)
  WHERE recorded_to = 9223372036854775807;

CREATE INDEX suppressions_of_entry ON suppressions(entry_id);

CREATE INDEX suppressions_of_receipt ON suppressions(receipt_id);

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

CREATE TRIGGER episode_texts_are_not_replaced BEFORE INSERT ON episode_texts
WHEN EXISTS(SELECT 1 FROM episode_texts t WHERE t.episode_id = new.episode_id)
BEGIN
  SELECT RAISE(ABORT, 'the text of an episode is never edited');
END;

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

CREATE TRIGGER entities_merge_within_a_scope BEFORE UPDATE OF merged_into ON entities
WHEN new.merged_into IS NOT NULL
  AND (SELECT scope_id FROM entities WHERE entity_id = new.merged_into) IS NOT old.scope_id
BEGIN
  SELECT RAISE(ABORT, 'an entity is merged into one of its own scope');
END;

CREATE TRIGGER aliases_stay_in_their_scope BEFORE INSERT ON aliases
WHEN (SELECT scope_id FROM entities WHERE entity_id = new.entity_id) IS NOT new.scope_id
BEGIN
  SELECT RAISE(ABORT, 'an entity and its aliases are of one scope');
END;

CREATE TRIGGER predicate_versions_are_only_closed
BEFORE UPDATE OF predicate_id, domain, label_en, label_zh, aliases, fact_type, cardinality,
  conflict_policy, temporal, object_kind, value_type, subject_kinds, object_kinds, opposite,
  is_ranked, tau_days, importance, is_sensitive, allow_inference, allow_assistant_source,
  allow_agent_subject, is_denial, min_evidence, recorded_from ON predicate_versions
BEGIN
  SELECT RAISE(ABORT, 'a version of a predicate is closed, never changed');
END;

CREATE TRIGGER facts_stay_in_their_scope BEFORE INSERT ON facts
WHEN (SELECT scope_id FROM entities WHERE entity_id = new.subject_id) IS NOT new.scope_id
  OR (new.object_id IS NOT NULL AND
    (SELECT scope_id FROM entities WHERE entity_id = new.object_id) IS NOT new.scope_id)
  OR (new.attributed_to IS NOT NULL AND
    (SELECT scope_id FROM entities WHERE entity_id = new.attributed_to) IS NOT new.scope_id)
  OR (new.timeline_id <> new.fact_id AND
    (SELECT scope_id FROM facts WHERE fact_id = new.timeline_id) <> new.scope_id)
BEGIN
  SELECT RAISE(ABORT, 'a fact and what it speaks of are of one scope');
END;

CREATE TRIGGER facts_move_within_their_scope BEFORE UPDATE OF subject_id, object_id ON facts
WHEN (SELECT scope_id FROM entities WHERE entity_id = new.subject_id) IS NOT old.scope_id
  OR (new.object_id IS NOT NULL AND
    (SELECT scope_id FROM entities WHERE entity_id = new.object_id) IS NOT old.scope_id)
BEGIN
  SELECT RAISE(ABORT, 'a fact and what it speaks of are of one scope');
END;

CREATE TRIGGER fact_periods_do_not_overlap BEFORE INSERT ON fact_periods
WHEN new.certainty = 'asserted' AND new.recorded_to = 9223372036854775807 AND (
  -- Asserted periods are disjoint already, so the first that ends later tells.
  SELECT valid_from FROM fact_periods
  WHERE timeline_id = new.timeline_id AND valid_to > new.valid_from
    AND recorded_to = 9223372036854775807 AND certainty = 'asserted'
  ORDER BY valid_to LIMIT 1) < new.valid_to
BEGIN
  SELECT RAISE(ABORT, 'periods of one timeline do not overlap');
END;

CREATE TRIGGER fact_periods_repeat_their_fact BEFORE INSERT ON fact_periods
WHEN NOT EXISTS(SELECT 1 FROM facts WHERE fact_id = new.fact_id
  AND timeline_id = new.timeline_id AND subject_id = new.subject_id
  AND predicate_id = new.predicate_id)
BEGIN
  SELECT RAISE(ABORT, 'timeline, subject and predicate of a period are those of its fact');
END;

CREATE TRIGGER fact_periods_are_only_closed BEFORE UPDATE ON fact_periods
WHEN new.fact_id IS NOT old.fact_id OR new.valid_from IS NOT old.valid_from
  OR new.valid_to IS NOT old.valid_to OR new.certainty IS NOT old.certainty
  OR new.recorded_from IS NOT old.recorded_from OR new.predicate_id IS NOT old.predicate_id
  OR new.from_precision IS NOT old.from_precision OR new.from_basis IS NOT old.from_basis
  OR new.to_precision IS NOT old.to_precision OR new.to_basis IS NOT old.to_basis
  OR new.ended_by IS NOT old.ended_by
  OR (new.recorded_to IS NOT old.recorded_to AND old.recorded_to <> 9223372036854775807)
BEGIN
  SELECT RAISE(ABORT, 'a period is closed, never changed');
END;

CREATE TRIGGER evidence_stays_in_its_scope BEFORE INSERT ON evidence
WHEN (SELECT scope_id FROM facts WHERE fact_id = new.fact_id)
  IS NOT (SELECT scope_id FROM episodes WHERE episode_id = new.episode_id)
BEGIN
  SELECT RAISE(ABORT, 'a fact and its evidence are of one scope');
END;

CREATE TRIGGER evidence_repeats_its_fact BEFORE INSERT ON evidence
WHEN (SELECT timeline_id FROM facts WHERE fact_id = new.fact_id) <> new.timeline_id
BEGIN
  SELECT RAISE(ABORT, 'the timeline of evidence is that of its fact');
END;

CREATE TRIGGER evidence_is_not_rewritten
BEFORE UPDATE OF episode_id, span_from, span_to, candidate_id, starts, ends, from_precision,
  from_basis, to_precision, to_basis, ended_by, asserted_at, source_class, reliability, occasion,
  recorded_from ON evidence
BEGIN
  SELECT RAISE(ABORT, 'evidence is closed or given to another fact, never changed');
END;

CREATE TRIGGER links_stay_in_their_scope BEFORE INSERT ON links
WHEN (SELECT scope_id FROM facts WHERE fact_id = new.from_fact_id) IS NOT
  coalesce((SELECT scope_id FROM facts WHERE fact_id = new.to_fact_id),
    (SELECT scope_id FROM entities WHERE entity_id = new.to_entity_id))
BEGIN
  SELECT RAISE(ABORT, 'a link is within one scope');
END;

CREATE TRIGGER candidate_evidence_stays_in_its_scope BEFORE INSERT ON candidate_evidence
WHEN (SELECT scope_id FROM candidates WHERE candidate_id = new.candidate_id)
  <> (SELECT scope_id FROM episodes WHERE episode_id = new.episode_id)
BEGIN
  SELECT RAISE(ABORT, 'a candidate and its evidence are of one scope');
END;

CREATE TRIGGER decisions_stay_in_their_scope BEFORE INSERT ON decisions
WHEN (SELECT scope_id FROM facts WHERE fact_id = new.fact_id)
  <> (SELECT scope_id FROM candidates WHERE candidate_id = new.candidate_id)
  OR (SELECT scope_id FROM facts WHERE fact_id = new.target_id)
  <> (SELECT scope_id FROM candidates WHERE candidate_id = new.candidate_id)
BEGIN
  SELECT RAISE(ABORT, 'a decision and its facts are of one scope');
END;

CREATE TRIGGER review_items_stay_in_their_scope BEFORE INSERT ON review_items
WHEN (SELECT scope_id FROM facts WHERE fact_id = new.fact_id)
  <> (SELECT scope_id FROM candidates WHERE candidate_id = new.candidate_id)
  OR (SELECT scope_id FROM facts WHERE fact_id = new.target_id)
  <> (SELECT scope_id FROM candidates WHERE candidate_id = new.candidate_id)
BEGIN
  SELECT RAISE(ABORT, 'a review item and its facts are of one scope');
END;

CREATE TRIGGER episode_texts_are_not_edited BEFORE UPDATE OF episode_id, text, meta ON episode_texts
BEGIN
  SELECT RAISE(ABORT, 'the text of an episode is never edited');
END;

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

CREATE VIEW readable_operations AS
SELECT operation_id, hex(uid) AS uid, strftime('%Y-%m-%dT%H:%M:%fZ', at / 1000000.0, 'unixepoch') AS at,
  actor, kind, undoes
FROM operations;

CREATE VIEW shown_texts AS
SELECT episode_id, coalesce(shown, text) AS text, meta FROM episode_texts;

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

CREATE TABLE erasures(
  erasure_id INTEGER PRIMARY KEY,
  receipt_id INTEGER NOT NULL REFERENCES receipts,
  record TEXT NOT NULL CHECK(record IN ('episode', 'fact', 'entity')),
  uids BLOB NOT NULL CHECK(length(uids) > 0 AND length(uids) % 16 = 0),
  UNIQUE(receipt_id, record)
) STRICT;

CREATE TABLE backups(
  backup_id INTEGER PRIMARY KEY,
  uid BLOB NOT NULL UNIQUE CHECK(length(uid) = 16),
  path TEXT NOT NULL,
  made_at INTEGER NOT NULL,
  recorded INTEGER NOT NULL REFERENCES operations,
  removed_at INTEGER
) STRICT;

CREATE TABLE hidden_names(
  record TEXT NOT NULL CHECK(record IN ('alias', 'entity')),
  row_id INTEGER NOT NULL,
  PRIMARY KEY(record, row_id)
) STRICT, WITHOUT ROWID;

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
