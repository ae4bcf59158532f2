import { COMPLIANCE_ERRORS } from './errors-compliance.ts';
import { MONEY_ERRORS } from './errors-money.ts';
import { NUMBER_ERRORS } from './errors-numbers.ts';
import { OPT_IN_ERRORS } from './errors-opt-in.ts';
import { VOICE_ERRORS } from './errors-voice.ts';

/**
 * The error catalogue: every code a caller can meet, its HTTP status, what it means and what to do about it.
 * `status` and `message` make the reply; `group` and `remedy` make the documentation pages.
 */
export const ERROR_GROUPS = {
  auth: 'Authentication and limits',
  request: 'Request shape',
  messaging: 'Messaging',
  numbers: 'Numbers and porting',
  voice: 'Voice',
  compliance: '10DLC',
  tenants: 'Tenants and webhooks',
  money: 'Money',
  service: 'Service',
} as const;

export type ErrorGroup = keyof typeof ERROR_GROUPS;

export type ErrorEntry = {
  readonly status: number;
  readonly group: ErrorGroup;
  readonly message: string;
  readonly remedy: string;
};

export const ERRORS = {
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
      'Check that the whole key was copied and that it has not been revoked or rotated out. A link to audio is refused with this code too, once its hour is over or if it was altered: take a new one from the recording or voicemail.',
  },
  account_suspended: {
    status: 403,
    group: 'auth',
    message: 'This account is suspended.',
    remedy: 'Talk to the operator of this installation. Inbound texts and running calls are still handled.',
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
    remedy: 'Use an account-wide key.',
  },
  api_key_not_found: {
    status: 404,
    group: 'auth',
    message: 'There is no such API key.',
    remedy: 'Check the id. A key that has ended cannot be rotated: make a new one.',
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
    message: 'The request does not match what this operation takes.',
    remedy: '"param" names the field; unknown fields are refused so that a typo cannot pass unnoticed.',
  },
  unreadable_body: {
    status: 400,
    group: 'request',
    message: 'The body could not be read: it is truncated or too large.',
    remedy: 'Bodies are at most 1 MiB (a larger one answers 413); send the length that Content-Length states.',
  },
  missing_fields: {
    status: 400,
    group: 'request',
    message: 'Required fields are absent.',
    remedy: 'The message lists them all.',
  },
  not_found: {
    status: 404,
    group: 'request',
    message: 'There is no such resource.',
    remedy: 'Check the path and the id; ids of another account or of the other mode are never found.',
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
    remedy: 'Open a WebSocket here, with the token that was given for it; behind a proxy, let that pass upgrades on.',
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
    message: 'A request with this Idempotency-Key is still being carried out.',
    remedy: 'Repeat it in a moment with the same key: you will get the first answer.',
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
    remedy: 'The range takes in start and leaves out end.',
  },
  empty_message: {
    status: 400,
    group: 'messaging',
    message: 'The message has neither a body nor media.',
    remedy: 'Give body, media_urls or both.',
  },
  body_too_long: {
    status: 400,
    group: 'messaging',
    message: 'The body is longer than 1600 characters.',
    remedy: 'Shorten it or send it as several messages.',
  },
  invalid_to: {
    status: 400,
    group: 'messaging',
    message: 'The destination is not an E.164 number that can be dialled.',
    remedy:
      'Write it as + and digits, such as +16025550143; US and Canadian numbers have ten digits after +1. No number can text itself.',
  },
  recipient_opted_out: {
    status: 422,
    group: 'messaging',
    message: 'The recipient has opted out of texts from this tenant.',
    remedy: 'Do not retry. Only the person can lift it, by texting START.',
  },
  opt_out_not_removable: {
    status: 409,
    group: 'messaging',
    message: 'The recipient opted out themselves; only their START ends it.',
    remedy: 'Opt-outs with source api or import can be lifted here; those of the person or the carrier cannot.',
  },
  from_number_not_found: {
    status: 404,
    group: 'messaging',
    message: '"from" is not an active number of yours.',
    remedy: 'Use the id (num_…) or E.164 form of a number that has been purchased and not released.',
  },
  number_not_sms_capable: {
    status: 422,
    group: 'messaging',
    message: 'This number is for voice only.',
    remedy: 'Send from a number whose capabilities include sms.',
  },
  message_not_found: {
    status: 404,
    group: 'messaging',
    message: 'There is no such message.',
    remedy: 'Check the id and that the key is of the same account and mode.',
  },
  conversation_not_found: {
    status: 404,
    group: 'messaging',
    message: 'There is no such conversation.',
    remedy: 'Check the id and that the key is of the same account and mode.',
  },
  invalid_phone: {
    status: 400,
    group: 'numbers',
    message: 'This is not a valid E.164 number.',
    remedy: 'Write it as + and digits, such as +16025550143.',
  },
  number_unavailable: {
    status: 409,
    group: 'numbers',
    message: 'This number is no longer available.',
    remedy: 'Search again and purchase another one.',
  },
  phone_number_not_found: {
    status: 404,
    group: 'numbers',
    message: 'There is no such phone number.',
    remedy: 'Check the id and that the key is of the same account and mode.',
  },
  ...NUMBER_ERRORS,
  ...VOICE_ERRORS,
  ...COMPLIANCE_ERRORS,
  ...OPT_IN_ERRORS,
  tenant_not_found: {
    status: 404,
    group: 'tenants',
    message: 'There is no such tenant.',
    remedy: 'Check the id; a deleted tenant is not found either, though its history stays readable.',
  },
  name_required: {
    status: 400,
    group: 'tenants',
    message: 'A tenant needs a name.',
    remedy: 'Give a name of 1 to 200 characters.',
  },
  invalid_timezone: {
    status: 400,
    group: 'tenants',
    message: 'This is not an IANA time zone.',
    remedy: 'Use a name such as America/Phoenix.',
  },
  external_ref_taken: {
    status: 409,
    group: 'tenants',
    message: 'Another tenant has this external_ref.',
    remedy: 'Find it with GET /v1/tenants?external_ref=…',
  },
  webhook_endpoint_not_found: {
    status: 404,
    group: 'tenants',
    message: 'There is no such webhook endpoint.',
    remedy: 'Check the id and that the key is of the same account and mode.',
  },
  delivery_not_found: {
    status: 404,
    group: 'tenants',
    message: 'There is no such delivery.',
    remedy: "Take the id from the endpoint's deliveries.",
  },
  event_not_found: {
    status: 404,
    group: 'tenants',
    message: 'There is no such event.',
    remedy: 'Events are kept for 30 days.',
  },
  url_required: {
    status: 400,
    group: 'tenants',
    message: 'A webhook endpoint needs a url.',
    remedy: 'Give an https address that is reachable from the internet.',
  },
  invalid_url: {
    status: 400,
    group: 'tenants',
    message: 'This is not an address that can be called.',
    remedy: 'Use https and a public host. With test keys, an installation may allow http on loopback.',
  },
  unknown_event_type: {
    status: 400,
    group: 'tenants',
    message: 'This event type does not exist.',
    remedy: 'The list of events is in the documentation.',
  },
  ...MONEY_ERRORS,
  internal_error: {
    status: 500,
    group: 'service',
    message: 'Something went wrong on our side.',
    remedy: 'Retry with the same Idempotency-Key; if it goes on, give the operator the request_id.',
  },
  database_unavailable: {
    status: 503,
    group: 'service',
    message: 'The database cannot be reached for the moment.',
    remedy: 'Retry after the seconds in Retry-After.',
  },
  carrier_unavailable: {
    status: 503,
    group: 'service',
    message: 'No carrier can carry this out now.',
    remedy: 'Live keys need a configured carrier; if there is one, retry after the seconds in Retry-After.',
  },
} as const satisfies Record<string, ErrorEntry>;

export type ErrorCode = keyof typeof ERRORS;

type ApiErrorOptions = {
  /** Path of the offending field, such as `sample_messages[1]`. */
  param?: string;
  /** Public sentence in place of the catalogue's. */
  message?: string;
  /** Whole seconds for the Retry-After header. */
  retryAfterS?: number;
  /** Further members of the error object, for codes that document them. */
  details?: Readonly<Record<string, unknown>>;
  /** Why it happened, for the log only. */
  cause?: unknown;
};

/** A refusal that the caller is meant to read. Anything else that is thrown becomes `internal_error`. */
export class ApiError extends Error {
  readonly code: ErrorCode;
  readonly param: string | undefined;
  readonly retryAfterS: number | undefined;
  readonly details: Readonly<Record<string, unknown>>;

  constructor(code: ErrorCode, options: ApiErrorOptions = {}) {
    super(options.message ?? ERRORS[code].message, { cause: options.cause });
    this.name = 'ApiError';
    this.code = code;
    this.param = options.param;
    this.retryAfterS = options.retryAfterS;
    this.details = options.details ?? {};
  }

  /** HTTP status of the code. */
  get status(): number {
    return ERRORS[this.code].status;
  }
}
