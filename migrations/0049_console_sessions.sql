-- The console in a browser: its sessions, and the links that open them. Both are directories of the whole installation,
-- like accounts and keys. All times are wall time.

-- One row per sign-in link that has not been used. Using a link deletes its row, so a link opens one session.
create table console_links (
  -- SHA-256 of the token in the link. The token is long and random, so a slow hash would add nothing.
  token_hash bytea primary key,
  role text not null check (role in ('operator', 'account')),
  -- The account of a session with the role account; null for an operator, who sees every account.
  account_id text collate "C" references accounts (id),
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  check ((role = 'account') = (account_id is not null))
);

-- The sweep of expired links.
create index console_links_expires on console_links (expires_at);

-- One row per session that may still be used. Signing out and revoking delete the row.
create table console_sessions (
  id text collate "C" primary key,
  -- SHA-256 of the secret in the cookie.
  secret_hash bytea not null,
  role text not null check (role in ('operator', 'account')),
  account_id text collate "C" references accounts (id),
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  -- Written at most once a minute.
  last_seen_at timestamptz not null default now(),
  user_agent text,
  check ((role = 'account') = (account_id is not null))
);

-- Authentication: the session of a request by the hash of its cookie.
create unique index console_sessions_hash on console_sessions (secret_hash);

-- The sessions of one account, newest first.
create index console_sessions_account on console_sessions (account_id, id) where account_id is not null;

-- The sweep of expired sessions.
create index console_sessions_expires on console_sessions (expires_at);
