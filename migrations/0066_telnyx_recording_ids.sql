-- Telnyx names each recording in its report. A report that comes again is about the same recording, and its audio can
-- be asked for by name.
alter table telnyx_recordings add column carrier_id text collate "C";
create index telnyx_recordings_carrier on telnyx_recordings (connection_id, carrier_id) where carrier_id is not null;
