-- One row per Idempotency-Key: the request that used it first, and its answer.
create table idempotency_keys (
  ledger_id integer not null references ledgers (id),
  -- The tenant of a key that is restricted to one tenant; '' for an account-wide key.
  scope text collate "C" not null,
  -- The Idempotency-Key header.
  key text collate "C" not null,
  -- SHA-256 of the request's method, path and body. A repeat with another fingerprint is refused.
  fingerprint bytea not null,
  -- HTTP status of the answer; null while the request is in progress.
  status smallint,
  -- The answer, encrypted, because it may hold a secret that is shown once.
  response bytea,
  -- In place of a response: the resource from whose unchanging part the answer is rebuilt.
  resource_id text collate "C",
  created_at timestamptz not null,
  -- End of the lease (wall time) of a request that calls other systems and stores nothing. The request renews it; after
  -- a crash the key becomes free when it ends. Null for all other requests.
  lease_until timestamptz,
  primary key (ledger_id, scope, key)
);

-- The sweep of expired keys.
create index idempotency_keys_age on idempotency_keys (created_at);
