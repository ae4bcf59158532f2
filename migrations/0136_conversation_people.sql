-- The people of each tenant's conversations, for a search by number within one tenant. An index of `conversations` for
-- it was written again by each text, because each text changes the time of the last activity. These rows never change.
create table conversation_people (
  ledger_id integer not null,
  conversation_id text collate "C" not null,
  tenant_id text collate "C" not null,
  external_number text collate "C" not null,
  primary key (ledger_id, conversation_id),
  foreign key (ledger_id, conversation_id) references conversations (ledger_id, id) on delete cascade
);

create function add_conversation_person() returns trigger language plpgsql as $$
begin
  insert into conversation_people (ledger_id, conversation_id, tenant_id, external_number)
  values (new.ledger_id, new.id, new.tenant_id, new.external_number);
  return null;
end $$;

-- A move copies these rows with the conversations.
create trigger conversations_person after insert on conversations for each row
  when (current_setting('dialplane.moves', true) is distinct from 'on') execute function add_conversation_person();

insert into conversation_people (ledger_id, conversation_id, tenant_id, external_number)
select ledger_id, id, tenant_id, external_number from conversations;

create index conversation_people_number on conversation_people
  (ledger_id, (tenant_id || '/' || external_number), conversation_id);
