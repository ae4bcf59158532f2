-- A text from a withheld number has no conversation: its senders cannot be told apart. Older ones keep theirs.
alter table messages alter column conversation_id drop not null;
-- GET /messages with from=anonymous.
create index messages_withheld on messages (ledger_id, created_at, id) where conversation_id is null;
