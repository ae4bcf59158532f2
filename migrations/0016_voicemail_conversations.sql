-- The conversation that a voicemail belongs to: the one of its call. Null for a caller who hides the number.
alter table voicemails add column conversation_id text collate "C";

update voicemails v set conversation_id = c.conversation_id
from calls c
where c.ledger_id = v.ledger_id and c.id = v.call_id and c.conversation_id is not null;

alter table voicemails add foreign key (ledger_id, conversation_id) references conversations (ledger_id, id);

-- Lists of one conversation, newest first.
create index voicemails_conversation on voicemails (ledger_id, conversation_id, created_at) where conversation_id is not null;
