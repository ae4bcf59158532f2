-- Scheduled texts that have been sent and have no receipt yet, by their time.
create index messages_due on messages (ledger_id, status, send_at)
  where send_at is not null and status in ('queued', 'sent');
