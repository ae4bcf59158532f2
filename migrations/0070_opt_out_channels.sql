-- What an opt-out stops: texts, calls in which software speaks, or both. Only the API may name one of them, so a STOP
-- always stops both. Earlier opt-outs stop both.
alter table opt_outs add column channels text[] not null default '{text,call}';
alter table opt_outs drop constraint opt_outs_source_check;
alter table opt_outs
  add constraint opt_outs_source_check check (
    source in ('stop_keyword', 'stop_phrase', 'voice', 'voice_phrase', 'form', 'api', 'carrier', 'import')),
  add constraint opt_outs_channels_check check (
    channels = '{text,call}' or (source = 'api' and channels in ('{text}', '{call}')));
