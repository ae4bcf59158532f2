-- A call that an application does not take ends with an outcome of its own.
alter table calls drop constraint calls_outcome_check;
alter table calls add constraint calls_outcome_check
  check (outcome in ('answered', 'voicemail', 'missed', 'no_answer', 'busy', 'canceled', 'failed', 'no_application'))
  not valid;
