-- When the sweep of legs that we hung up, and whose end Telnyx has not reported, last took this leg: legs take turns.
alter table telnyx_legs add column hang_up_turn_at timestamptz;
create index telnyx_legs_hang_up_turn on telnyx_legs (hang_up_turn_at nulls first)
  where hung_up_at is not null and state <> 'ended' and call_control_id is not null;
