-- How far a proposer has read the conversations of a scope.
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
