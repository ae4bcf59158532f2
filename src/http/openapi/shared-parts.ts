import { ERRORS } from '../../lib/errors/errors.ts';
import { CONSOLE_COOKIE } from '../console/cookie.ts';
import { CONSOLE_HEADER } from '../console/same-site.ts';
import { policyOf, RATE_OF_KEY } from '../limits/rate-limit.ts';
import { ErrorEnvelope } from '../schemas/schemas.ts';
import { publishedSchema, reference } from './components.ts';

const text = { type: 'string' } as const;

const HEADERS = {
  RequestId: { description: 'Identifies this request in the log of the operator.', schema: text },
  RateLimitPolicy: {
    description: 'The limit of the key, which its `rate_limit` says.',
    schema: { ...text, examples: [policyOf(RATE_OF_KEY)] },
  },
  RateLimit: {
    description:
      'Requests left immediately (r) and seconds until the whole burst is free again (t). Absent without a limit.',
    schema: { ...text, examples: ['"key";r=59;t=1'] },
  },
  RetryAfter: { description: 'Whole seconds to wait.', schema: { type: 'integer', minimum: 1 } },
  IdempotentReplayed: {
    description: 'Present if this is the stored reply to an earlier request with the same Idempotency-Key.',
    schema: { ...text, enum: ['true'] },
  },
  ContentRange: {
    description: 'The part and the size of the file: `bytes 0-1023/146286`; with 416 only the size: `bytes */146286`.',
    schema: text,
  },
} as const;

const header = (name: keyof typeof HEADERS) => reference('headers', name);
const always = { 'Request-Id': header('RequestId') };

/** The headers of every reply to a request with a key. */
export const REPLY_HEADERS = {
  ...always,
  RateLimit: header('RateLimit'),
  'RateLimit-Policy': header('RateLimitPolicy'),
};
export const PUBLIC_REPLY_HEADERS = always;
export const REPLAY_HEADERS = { ...REPLY_HEADERS, 'Idempotent-Replayed': header('IdempotentReplayed') };

/** The replies to a request for a part of a file. */
export const PARTIAL_REPLIES = {
  '206': reference('responses', 'PartialContent'),
  '416': reference('responses', 'RangeNotSatisfiable'),
};

const errorContent = { 'application/json': { schema: reference('schemas', 'Error') } };

const { properties, ...envelope } = publishedSchema(ErrorEnvelope) as {
  properties: { error: { properties: { code: object } } };
};
const { error } = properties;
const code = {
  ...error.properties.code,
  description: 'Stable: branch on it.',
  'x-extensible-enum': Object.keys(ERRORS),
};

/** Components that all routes share. */
export const SHARED_COMPONENTS = {
  securitySchemes: {
    key: {
      type: 'http',
      scheme: 'bearer',
      description:
        'A key that begins with svc_test_ works on the simulated carrier, one with svc_live_ on the real one.',
    },
    session: {
      type: 'apiKey',
      in: 'cookie',
      name: CONSOLE_COOKIE,
      description: 'Set by signing in. Only the browser sees it.',
    },
  },
  headers: HEADERS,
  parameters: {
    IdempotencyKey: {
      name: 'Idempotency-Key',
      in: 'header',
      required: false,
      description: 'For 24 hours repeats with this key get the first reply and have no second effect.',
      schema: { ...text, minLength: 1, maxLength: 255 },
    },
    Console: {
      name: CONSOLE_HEADER,
      in: 'header',
      required: true,
      description: 'Tells that the request comes from the console: pages of other sites cannot send it.',
      schema: { ...text, enum: ['1'] },
    },
    Range: {
      name: 'Range',
      in: 'header',
      required: false,
      description: 'One range of bytes, to get that part only: `bytes=0-1023`. Any other form is ignored.',
      schema: { ...text, maxLength: 255 },
    },
  },
  responses: {
    Error: { description: 'A refusal.', headers: always, content: errorContent },
    PartialContent: {
      description: 'The part of the file that Range names.',
      headers: { ...REPLY_HEADERS, 'Content-Range': header('ContentRange') },
      content: { '*/*': { schema: { ...text, format: 'binary' } } },
    },
    RangeNotSatisfiable: {
      description: 'The file has no byte of the range: invalid_range.',
      headers: { ...REPLY_HEADERS, 'Content-Range': header('ContentRange') },
      content: errorContent,
    },
    RateLimited: {
      description: 'Too many requests with this key: rate_limited.',
      headers: { ...REPLY_HEADERS, 'Retry-After': header('RetryAfter') },
      content: errorContent,
    },
  },
  schemas: {
    Error: {
      ...envelope,
      properties: { ...properties, error: { ...error, properties: { ...error.properties, code } } },
    },
  },
} as const;

/** The groups of operations and their descriptions. */
export const TAGS: Readonly<Record<string, string>> = {
  Tenants: 'Customers of the platform. Everything below belongs to one of them.',
  'Phone numbers': 'Numbers on sale, and the numbers of tenants.',
  'E911 addresses': 'Addresses where emergency services are sent after a 911 call from a number.',
  'Port-ins': 'Numbers that move here from another carrier.',
  'Call queues': 'Callers who wait for an agent, and the agents.',
  'Routing configs': 'Who answers calls to a number, and when.',
  Brands: 'Companies on whose behalf texts are sent, as registered with the carriers.',
  Campaigns: 'The texts that a tenant may send, as registered with the carriers.',
  Messages: 'Inbound and outbound texts.',
  Conversations: 'The texts and calls between a number of a tenant and an external number.',
  Calls: 'Click-to-call and inbound calls: their state, digits and transcription.',
  Recordings: 'Recordings of calls, and their audio.',
  Voicemails: 'Messages that callers left: their audio and transcript.',
  Relays: 'Agents of text: the server recognises, speaks and decides interruptions.',
  'Media streams': 'The audio of a call over a WebSocket, in both directions.',
  'Web clients': 'Phones in a browser: one credential each, and the tokens that log it in.',
  'SIP phones': 'Telephones that register at SIP engines of the operator, and whether they are registered.',
  'Opt-outs': 'People who asked to get no more texts from a tenant.',
  'Webhook endpoints': 'Receivers of signed events, and their deliveries.',
  Events: 'The durable record of all events, and tokens for the event socket.',
  'Usage and balance': 'Usage, and the prepaid balance. Live usage is charged to it.',
  Search: 'Finds tenants, contacts, numbers and conversations by what people type.',
  Contacts: 'People that a tenant knows, by name and number.',
  'Message templates': 'Texts with variables, for one tenant or for all.',
  'Person exports': 'Files with all that a tenant has about a person.',
  'Person erasures': 'Requests to remove everything about a person from a tenant.',
  'Opt-in forms': 'Public pages where people agree to receive texts, and the evidence of their consent.',
  Accounts: 'Platforms that use this installation, each with a ledger for test mode and one for live mode.',
  'Console sessions': 'Browsers that are signed in to the console.',
  Users: 'The people of the console, and what each may do.',
  Queues: 'The background work of the installation, for operators.',
  Speech: 'Texts as callers hear them.',
  Connections: 'Connections to carriers, for operators.',
  'API keys': 'Credentials of the account, for all of it or for one tenant.',
  'Browser sessions':
    'Short-lived credentials of one tenant for pages in a browser, with the abilities that you choose.',
  'Audit log': 'Who changed keys, tenants, numbers and webhook endpoints.',
  'Request log': 'The requests of the last days to this API, with status, error and duration, without bodies.',
  Service: 'The API itself: its OpenAPI document.',
  'Test mode': 'Plays the other side of the simulated carrier. For test keys.',
};
