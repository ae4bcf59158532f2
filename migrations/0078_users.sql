-- The people of the console. A user has one role: an operator sees every account, the others see one.
create table users (
  id text collate "C" primary key,
  -- In lower case.
  email text collate "C" not null,
  role text collate "C" not null check (role in ('operator', 'admin', 'support', 'viewer')),
  account_id text collate "C" references accounts (id),
  -- True if the identity provider gave the role: without the claim, the next sign-in is refused.
  is_by_claim boolean not null default false,
  created_at timestamptz not null default now(),
  last_signed_in_at timestamptz,
  check ((role = 'operator') = (account_id is null))
);
create unique index users_email on users (email);
-- The users of one account, newest first.
create index users_account on users (account_id, id) where account_id is not null;

-- A link and a session may be a user's. Then the role is that of the user.
alter table console_links
  drop constraint console_links_role_check,
  drop constraint console_links_check,
  add column user_id text collate "C" references users (id) on delete cascade,
  add constraint console_links_role_check check (role in ('operator', 'account', 'admin', 'support', 'viewer')),
  add constraint console_links_check check ((role = 'operator') = (account_id is null));
create index console_links_user on console_links (user_id) where user_id is not null;
alter table console_sessions
  drop constraint console_sessions_role_check,
  drop constraint console_sessions_check,
  add column user_id text collate "C" references users (id) on delete cascade,
  add constraint console_sessions_role_check check (role in ('operator', 'account', 'admin', 'support', 'viewer')),
  add constraint console_sessions_check check ((role = 'operator') = (account_id is null));
create index console_sessions_user on console_sessions (user_id, id) where user_id is not null;

-- The address of the user at the time of the change, which the log shows after the user is removed.
alter table audit_log
  drop constraint audit_log_actor_type_check,
  add column actor_email text,
  add constraint audit_log_actor_type_check check (actor_type in ('key', 'operator', 'console', 'user'));
