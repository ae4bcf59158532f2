import type { ErrorEntry } from './entry.ts';

/** Codes of authentication and limits, and of the shape of requests, a part of `ERRORS`. */
export const REQUEST_ERRORS = {
  missing_api_key: {
    status: 401,
    group: 'auth',
    message: 'No API key was sent.',
    remedy: 'Send your key as "Authorization: Bearer svc_test_…" with every request.',
  },
  malformed_authorization: {
    status: 401,
    group: 'auth',
    message: 'The Authorization header is not a Bearer credential.',
    remedy: 'Use the form "Authorization: Bearer <key>"; no other scheme is understood.',
  },
  invalid_api_key: {
    status: 401,
    group: 'auth',
    message: 'This API key is unknown, malformed, expired or revoked.',
    remedy:
      'Check that the whole key was copied and that it has not been revoked or rotated out. A link to audio that has expired or was altered is refused with this code too: take a new link from the recording or voicemail.',
  },
  account_suspended: {
    status: 403,
    group: 'auth',
    message: 'This account is suspended.',
    remedy: 'Contact the operator of this installation. Inbound texts and running calls are still handled.',
  },
  tenant_restricted_key: {
    status: 403,
    group: 'auth',
    message: 'This key belongs to one tenant and the request touches another.',
    remedy: "Use that tenant's own key, or an account-wide key.",
  },
  key_not_permitted: {
    status: 403,
    group: 'auth',
    message: 'A key of one tenant cannot use this account-level operation.',
    remedy:
      'Use an account-wide key. A change needs a key with the permissions "write", or a user whose role allows it. A browser session ' +
      'needs the ability, and the origin, that the message names.',
  },
  browser_session_not_found: {
    status: 404,
    group: 'auth',
    message: 'There is no such browser session.',
    remedy: 'Check the id. A session is deleted some time after it has expired.',
  },
  api_key_not_found: {
    status: 404,
    group: 'auth',
    message: 'There is no such API key.',
    remedy: 'Check the id. A key that has ended cannot be rotated: create another one.',
  },
  test_mode_only: {
    status: 403,
    group: 'auth',
    message: 'Simulation works with test keys only.',
    remedy: 'Use a key that begins with svc_test_.',
  },
  rate_limited: {
    status: 429,
    group: 'auth',
    message: 'Too many requests with this key.',
    remedy: 'Wait for the seconds in Retry-After; 20 requests a second are sustained, bursts go up to 60.',
  },
  invalid_json: {
    status: 400,
    group: 'request',
    message: 'The body is not valid JSON.',
    remedy: 'Send a JSON object with "Content-Type: application/json".',
  },
  invalid_body: {
    status: 400,
    group: 'request',
    message: 'The request does not match the schema of this operation.',
    remedy:
      '"param" names the first wrong field, and "fields" lists all wrong fields. Unknown fields are refused, so that a typo is found.',
  },
  unreadable_body: {
    status: 400,
    group: 'request',
    message: 'The body could not be read: it is truncated or too large.',
    remedy:
      'A body has at most 64 KiB, in a few operations more. A file has at most 10 MiB; a larger one is answered with 413. Send as many bytes as Content-Length states.',
  },
  unsupported_media_type: {
    status: 415,
    group: 'request',
    message: 'The body is of a media type that this operation does not take.',
    remedy: 'Send JSON with "Content-Type: application/json".',
  },
  missing_fields: {
    status: 400,
    group: 'request',
    message: 'Required fields are absent.',
    remedy: 'The message and "fields" list them all.',
  },
  not_found: {
    status: 404,
    group: 'request',
    message: 'There is no such resource.',
    remedy: 'Check the path and the id; ids of another account or of the other mode are never found.',
  },
  request_not_found: {
    status: 404,
    group: 'request',
    message: 'There is no such request in the request log.',
    remedy:
      'Check the id, and that the key is of the same account and mode. Requests are kept for some days, 7 unless the operator says otherwise.',
  },
  method_not_allowed: {
    status: 405,
    group: 'request',
    message: 'This path does not take that method.',
    remedy: 'The Allow header lists the methods it takes.',
  },
  upgrade_required: {
    status: 426,
    group: 'request',
    message: 'This address is a WebSocket, not a page.',
    remedy: 'Open a WebSocket here, with the token that was given for it. A proxy in front must forward upgrades.',
  },
  idempotency_key_reuse: {
    status: 422,
    group: 'request',
    message: 'This Idempotency-Key was already used for a different request.',
    remedy: 'Use a new key for a new request; repeat a key only with the same method, path and body.',
  },
  idempotency_in_progress: {
    status: 409,
    group: 'request',
    message: 'A request with this Idempotency-Key is still running.',
    remedy: 'Repeat it in a moment with the same key to get the first answer.',
  },
  invalid_cursor: {
    status: 400,
    group: 'request',
    message: '"after" is not a cursor of this list.',
    remedy: 'Send next_cursor of the page before, unchanged, to the same list; leave "after" out to begin again.',
  },
  invalid_start: {
    status: 400,
    group: 'request',
    message: '"start" is not a timestamp.',
    remedy: 'Use RFC 3339 such as 2026-11-20T09:00:00Z, or a date such as 2026-11-20 (midnight UTC).',
  },
  invalid_end: {
    status: 400,
    group: 'request',
    message: '"end" is not a timestamp.',
    remedy: 'Use RFC 3339 such as 2026-11-20T09:00:00Z, or a date such as 2026-11-20 (midnight UTC).',
  },
  invalid_range: {
    status: 400,
    group: 'request',
    message: '"start" must be before "end".',
    remedy: 'The range includes start and excludes end.',
  },
} as const satisfies Record<string, ErrorEntry>;
