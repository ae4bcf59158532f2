-- Which port-ins have asked a carrier for a number, in whichever ledger: a number comes over once.

create index port_ins_coming on port_ins using gin (phone_numbers)
  where status in ('in_review', 'action_needed', 'foc_confirmed');
