-- Texts that the voice server has spoken, for all processes. A cache: a row that is lost is made again.
-- It is in the database and not in the blob store, because one statement here keeps a text and drops the oldest. The
-- blob store has no list of what it holds, so nothing could bound it.
create table spoken_texts (
  -- SHA-256 of the server, the model, the voice and the text.
  key bytea primary key check (octet_length(key) = 32),
  -- G.711 mu-law, 8,000 bytes a second.
  audio bytea not null,
  used_at timestamptz not null default clock_timestamp()
);
create index spoken_texts_used on spoken_texts (used_at);
