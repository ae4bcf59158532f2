-- Legs of calls that an engine connects without Dialplane: a telephone's call to 911 or 933. Nothing is commanded for
-- them.
alter table sip_legs add column is_of_engine boolean not null default false;
