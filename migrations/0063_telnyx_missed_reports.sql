-- How far each connection to Telnyx has asked for reports that Telnyx could not deliver. A list that is longer than one
-- round has its end and its next page here, so a restart continues it.
create table telnyx_missed_reports (
  connection_id text collate "C" primary key references carrier_connections (id),
  -- Reports that began before this have been asked for.
  asked_until timestamptz not null,
  -- The end of the list that is being read; null between two lists.
  list_until timestamptz,
  next_page integer not null default 1,
  -- The next list begins after this.
  rests_until timestamptz
);
