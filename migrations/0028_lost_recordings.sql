-- Calls whose recording or message has to be reported, by their end: a report that does not come is asked for.
create index calls_recorded on calls (ledger_id, ended_at) where record or outcome = 'voicemail';
