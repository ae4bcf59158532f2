-- Confirmations of STOP, START and HELP pass those that wait. False for whatever the version before still writes.
alter table paced_messages add column ahead boolean not null default false;

create index paced_messages_ahead on paced_messages (ledger_id, campaign_id, message_id) where ahead;
