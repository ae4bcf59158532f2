-- Which legs of a simulated call hear each other, and which of them are held. A call may have several agents in turn.
alter table simulated_legs
  -- The leg that it is bridged with; both stay bridged while one of them is held.
  add column bridged_with text collate "C",
  -- The moment from which what the party says has had a listener.
  add column heard_from timestamptz,
  -- A voicemail greets the party: nobody else hears it.
  add column is_greeted boolean not null default false,
  -- The speech with which the party is asked for keys.
  add column gather_ref text collate "C",
  -- When other legs have heard the party: a list of {by, from, until}, until null while it lasts.
  add column heard json not null default '[]',
  -- When the leg was played hold audio: a list of {from, until, audio_ref}, audio_ref null for the built-in pattern.
  add column holds json not null default '[]';

-- The parties of a bridged call have had a listener.
update simulated_legs l set heard_from = c.bridged_at
  from simulated_calls c
  where c.ledger_id = l.ledger_id and c.call_ref = l.call_ref and c.bridged_at is not null;
