-- What people of a tenant write to each other about a conversation. Notes are never sent.
create table conversation_notes (
  ledger_id integer not null,
  id text collate "C" not null,
  tenant_id text collate "C" not null,
  conversation_id text collate "C" not null,
  body text not null,
  author text,
  created_at timestamptz not null,
  primary key (ledger_id, id),
  foreign key (ledger_id, conversation_id) references conversations (ledger_id, id)
);

-- The notes of a conversation, newest first.
create index conversation_notes_conversation on conversation_notes (ledger_id, conversation_id, created_at);
-- What is past the retention of a tenant.
create index conversation_notes_tenant on conversation_notes (ledger_id, tenant_id, created_at);
