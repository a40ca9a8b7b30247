-- The word index. Its rows are the words of an episode (body) and of the two turns before and after
-- it in the session (ctx), each word marked with its scope. The table stores no text of its own: the
-- view gives what was indexed, through the functions memory_words and memory_context that
-- every connection registers.

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

INSERT INTO episode_index(episode_index, rank) VALUES('automerge', 8);
INSERT INTO episode_index(episode_index, rank) VALUES('hashsize', 16777216);
