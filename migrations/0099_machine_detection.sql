-- Who has answered a call that was placed with the detection of answering machines. Null until it is known.
alter table calls add column answered_by_kind text collate "C";

-- The simulated network: whether a leg was dialled with the detection, and the sounds of those who answer.
alter table simulated_legs add column detects_machine boolean not null default false;
alter table simulated_sounds drop constraint simulated_sounds_kind_check;
alter table simulated_sounds
  add constraint simulated_sounds_kind_check check (kind in ('speech', 'digits', 'beep', 'greeting', 'tone', 'audio'));
