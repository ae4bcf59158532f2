-- Operators see what fails in all accounts, and which numbers leave. Both are few rows of large tables.
create index webhook_endpoints_failing on webhook_endpoints (ledger_id)
  where deleted_at is null and (failing_since is not null or disabled_reason in ('failing', 'gone'));
create index number_port_outs_pending on number_port_outs (ledger_id) where status = 'pending';
