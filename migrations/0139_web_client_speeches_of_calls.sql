-- The erasure of a person deletes the speeches of calls.
create index web_client_speeches_call on web_client_speeches (ledger_id, call_id);
