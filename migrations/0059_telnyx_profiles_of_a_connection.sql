-- The messaging profiles of a connection, by their ids at Telnyx: "carriers setup" and "carriers check" read them.
create index telnyx_profiles_connection on telnyx_profiles (connection_id, profile_id);
