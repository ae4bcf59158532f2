-- How many inbound texts, missed calls and voicemails a conversation has had. What came before this column is read.
alter table conversations add column inbound_count integer not null default 0;

-- Up to where a reader has read.
create table conversation_reads (
  ledger_id integer not null,
  conversation_id text collate "C" not null,
  -- The platform's own id of a user.
  reader text collate "C" not null,
  -- The conversation's count when it was read.
  inbound_count integer not null,
  read_at timestamptz not null,
  primary key (ledger_id, conversation_id, reader),
  foreign key (ledger_id, conversation_id) references conversations (ledger_id, id) on delete cascade
);

-- The only reader that a session's page reads as.
alter table browser_sessions add column reader text;
