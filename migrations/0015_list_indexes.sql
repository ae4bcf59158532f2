-- Indexes for every filter of the lists of messages, conversations, calls and voicemails. Each ends in the order of its
-- list.

-- Whether the person has opted out of the tenant's texts, as in opt_outs: a key of the indexes below.
alter table conversations add column opted_out boolean not null default false;
update conversations c set opted_out = true from opt_outs o
  where o.ledger_id = c.ledger_id and o.tenant_id = c.tenant_id and o.external_number = c.external_number;

create index conversations_activity_opted on conversations (ledger_id, opted_out, last_activity_at);
create index conversations_tenant_opted on conversations (ledger_id, tenant_id, opted_out, last_activity_at);
create index conversations_number_opted on conversations (ledger_id, phone_number_id, opted_out, last_activity_at);
drop index conversations_activity;
drop index conversations_tenant_activity;
-- The external number comes first, so that the index also finds the conversations of a person.
create unique index conversations_parties on conversations (ledger_id, external_number, phone_number_id);
drop index conversations_numbers;

-- The status implies the direction, so these serve lists with a status, with a direction, with both and with neither.
create index messages_status on messages (ledger_id, status, created_at);
create index messages_tenant_status on messages (ledger_id, tenant_id, status, created_at);
-- Lists of one conversation, the texts of one person, and the message before another in its conversation.
create index messages_conversation_direction on messages (ledger_id, conversation_id, direction, created_at);
-- Texts from and to a number of the ledger. Those of a person are found through the person's conversations.
create index messages_sent_by on messages (ledger_id, "from", status, created_at) where direction = 'outbound';
create index messages_received_by on messages (ledger_id, "to", created_at) where direction = 'inbound';
drop index messages_tenant;
drop index messages_conversation;

create index calls_state on calls (ledger_id, direction, status, (coalesce(outcome, '')), started_at);
create index calls_tenant_state on calls (ledger_id, tenant_id, direction, status, (coalesce(outcome, '')), started_at);
create index calls_number_state
  on calls (ledger_id, phone_number_id, direction, status, (coalesce(outcome, '')), started_at);
-- Calls with one person. Those with hidden numbers are many, so a tenant's have an index of their own.
create index calls_external on calls (ledger_id, (case direction when 'inbound' then "from" else "to" end), started_at);
create index calls_tenant_external
  on calls (ledger_id, tenant_id, (case direction when 'inbound' then "from" else "to" end), started_at);
create index calls_conversation_time on calls (ledger_id, conversation_id, started_at) where conversation_id is not null;
drop index calls_tenant;
drop index calls_number;
drop index calls_conversation;

create index voicemails_age on voicemails (ledger_id, created_at);
create index voicemails_tenant_age on voicemails (ledger_id, tenant_id, created_at);
drop index voicemails_tenant;
