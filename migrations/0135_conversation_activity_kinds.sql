-- What the last activity of a conversation was. The preview alone does not tell a call from a person's text "Call".
alter table conversations add column last_activity_kind text not null default 'message'
  check (last_activity_kind in ('message', 'call', 'missed_call', 'voicemail'));

update conversations set last_activity_kind = case
    when last_message_preview = 'Call' then 'call'
    when last_message_preview = 'Missed call' then 'missed_call'
    else 'voicemail' end
  where last_message_preview in ('Call', 'Missed call') or last_message_preview ~ '^Voicemail, \d+:\d\d$';
