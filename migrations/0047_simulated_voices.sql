-- People on simulated calls whose audio comes by a socket.
alter table simulated_legs
  -- From this moment on the leg sounds as its handset sends. Before it, and without a handset, it is a tone.
  add column voice_from timestamptz,
  -- SHA-256 of the token that opens the socket; null once it is used.
  add column audio_token bytea;
