-- The opt-outs of a person: GET /opt_outs with external_number.
create index opt_outs_external on opt_outs (ledger_id, external_number, opted_out_at);
