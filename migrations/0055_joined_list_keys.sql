-- Lists whose path has several keys have them joined to one. Before PostgreSQL 18 a comparison of rows ends a scan only
-- by its first column, so a list of one tenant and one status read all rows of the tenant.

create index messages_tenant_and_status on messages (ledger_id, (tenant_id || '/' || status), created_at);
create index messages_sender_and_status on messages (ledger_id, ("from" || '/' || status), created_at)
  where direction = 'outbound';
drop index messages_tenant_status;
drop index messages_sent_by;

create index conversations_tenant_and_opted on conversations
  (ledger_id, (tenant_id || '/' || opted_out::text), last_activity_at);
create index conversations_number_and_opted on conversations
  (ledger_id, (phone_number_id || '/' || opted_out::text), last_activity_at);
drop index conversations_tenant_opted;
drop index conversations_number_opted;

create index calls_joined_state on calls
  (ledger_id, (direction || '/' || status || '/' || coalesce(outcome, '')), started_at);
create index calls_tenant_and_state on calls
  (ledger_id, (tenant_id || '/' || direction || '/' || status || '/' || coalesce(outcome, '')), started_at);
create index calls_number_and_state on calls
  (ledger_id, (phone_number_id || '/' || direction || '/' || status || '/' || coalesce(outcome, '')), started_at);
drop index calls_state;
drop index calls_tenant_state;
drop index calls_number_state;
