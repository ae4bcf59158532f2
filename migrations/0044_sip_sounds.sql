-- The name of what a playback is made of: the address that SIP engines fetch. Sounds that are the same have the same
-- address, so that an engine fetches and keeps one file.
alter table sip_playbacks add column sound text collate "C" not null default '';
create index sip_playbacks_sound on sip_playbacks (connection_id, sound) where ended_at is null;
