-- What people of a tenant do with a conversation.
alter table conversations
  add column state text not null default 'open' check (state in ('open', 'done')),
  -- The platform's own id of a user.
  add column assignee text collate "C",
  add column snoozed_until timestamptz,
  add column tags text[] not null default '{}',
  -- The contact that was chosen for it. Without one it has the contact of its number.
  add column contact_id text collate "C",
  -- The fields that the last activity of the person changed.
  add column reopened text[],
  add foreign key (ledger_id, contact_id) references contacts (ledger_id, id) on delete set null (contact_id);

-- The reference of contacts.
create index conversations_contact on conversations (ledger_id, contact_id) where contact_id is not null;

-- Every list without an assignee or a tag, and the list of those that nobody has.
create index conversations_flags on conversations
  (ledger_id, (opted_out::text || '/' || state || '/' || (assignee is not null)::text), last_activity_at);
create index conversations_tenant_and_flags on conversations
  (ledger_id, (tenant_id || '/' || opted_out::text || '/' || state || '/' || (assignee is not null)::text), last_activity_at);
create index conversations_number_and_flags on conversations
  (ledger_id, (phone_number_id || '/' || opted_out::text || '/' || state || '/' || (assignee is not null)::text),
   last_activity_at);
drop index conversations_activity_opted;
drop index conversations_tenant_and_opted;
drop index conversations_number_and_opted;

-- Conversations by assignee, by tag, and by both: few of them have any.
create table conversation_labels (
  ledger_id integer not null,
  conversation_id text collate "C" not null,
  label text collate "C" not null,
  tenant_id text collate "C" not null,
  phone_number_id text collate "C" not null,
  opted_out boolean not null,
  state text not null,
  last_activity_at timestamptz not null,
  primary key (ledger_id, conversation_id, label),
  foreign key (ledger_id, conversation_id) references conversations (ledger_id, id) on delete cascade
);
create index conversation_labels_flags on conversation_labels
  (ledger_id, (label || '/' || opted_out::text || '/' || state), last_activity_at);
create index conversation_labels_tenant_and_flags on conversation_labels
  (ledger_id, (tenant_id || '/' || label || '/' || opted_out::text || '/' || state), last_activity_at);
create index conversation_labels_number_and_flags on conversation_labels
  (ledger_id, (phone_number_id || '/' || label || '/' || opted_out::text || '/' || state), last_activity_at);

-- A tag of someone has its length first, so that no two pairs are the same text.
create function labels_of(tags text[], assignee text) returns setof text language sql immutable as $$
  select 'assignee/' || assignee where assignee is not null
  union all select 'tag/' || tag from unnest(tags) tag
  union all select case when assignee is null then 'unassigned_tag/' || tag
    else 'assigned_tag/' || length(tag) || '/' || tag || '/' || assignee end from unnest(tags) tag
$$;

create function label_conversation() returns trigger language plpgsql as $$
begin
  if (old.tags, old.assignee) is distinct from (new.tags, new.assignee) then
    delete from conversation_labels where ledger_id = new.ledger_id and conversation_id = new.id;
    insert into conversation_labels (ledger_id, conversation_id, label, tenant_id, phone_number_id, opted_out, state,
      last_activity_at)
    select new.ledger_id, new.id, label, new.tenant_id, new.phone_number_id, new.opted_out, new.state,
      new.last_activity_at
    from labels_of(new.tags, new.assignee) label;
  else
    update conversation_labels
    set opted_out = new.opted_out, state = new.state, last_activity_at = new.last_activity_at
    where ledger_id = new.ledger_id and conversation_id = new.id;
  end if;
  return null;
end $$;

create trigger conversations_labelled after update on conversations for each row
  when (old.assignee is not null or new.assignee is not null or old.tags <> '{}' or new.tags <> '{}')
  execute function label_conversation();
