import { ERRORS } from '../../lib/errors.ts';
import { RATE_LIMIT_POLICY } from '../limits/rate-limit.ts';
import { ErrorEnvelope } from '../schemas/schemas.ts';
import { publishedSchema, reference } from './components.ts';

const text = { type: 'string' } as const;

const HEADERS = {
  RequestId: { description: 'Names this request in the log of the operator.', schema: text },
  RateLimitPolicy: { description: 'The limit of the key.', schema: { ...text, examples: [RATE_LIMIT_POLICY] } },
  RateLimit: {
    description: 'Requests left at once (r) and seconds until all are free again (t). Absent where no limit is set.',
    schema: { ...text, examples: ['"key";r=59;t=1'] },
  },
  RetryAfter: { description: 'Whole seconds to wait.', schema: { type: 'integer', minimum: 1 } },
  IdempotentReplayed: {
    description: 'Present where this is the kept reply of an earlier request with the same Idempotency-Key.',
    schema: { ...text, enum: ['true'] },
  },
} as const;

const header = (name: keyof typeof HEADERS) => reference('headers', name);
const always = { 'Request-Id': header('RequestId') };

/** What every reply to a request with a key carries. */
export const REPLY_HEADERS = {
  ...always,
  RateLimit: header('RateLimit'),
  'RateLimit-Policy': header('RateLimitPolicy'),
};
export const PUBLIC_REPLY_HEADERS = always;
export const REPLAY_HEADERS = { ...REPLY_HEADERS, 'Idempotent-Replayed': header('IdempotentReplayed') };

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

/** Components that no single route brings along. */
export const SHARED_COMPONENTS = {
  securitySchemes: {
    key: {
      type: 'http',
      scheme: 'bearer',
      description:
        'A key that begins with svc_test_ works on the simulated carrier, one with svc_live_ on the real one.',
    },
  },
  headers: HEADERS,
  parameters: {
    IdempotencyKey: {
      name: 'Idempotency-Key',
      in: 'header',
      required: false,
      description: 'Repeats with this key get the first reply for 24 hours, and have no second effect.',
      schema: { ...text, minLength: 1, maxLength: 255 },
    },
  },
  responses: {
    Error: { description: 'A refusal.', headers: always, content: errorContent },
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

/** What the groups of operations are about. */
export const TAGS: Readonly<Record<string, string>> = {
  Tenants: 'Customers of the platform. Everything below belongs to one of them.',
  'Phone numbers': 'Numbers on sale, and those that tenants have.',
  'E911 addresses': 'Where help is sent to when somebody calls 911 from a number.',
  'Port-ins': 'Numbers that come over from another carrier.',
  'Routing configs': 'Who answers the calls to a number, and when.',
  Brands: 'Companies that texts are sent for, as registered with the carriers.',
  Campaigns: 'What a tenant sends, as registered with the carriers, and what it may send.',
  Messages: 'Texts, in and out.',
  Conversations: 'The thread between a number of a tenant and somebody outside.',
  Calls: 'Click-to-call and inbound calls: their state, keys and transcription.',
  Recordings: 'Conversations that were recorded, and their audio.',
  Voicemails: 'Messages that callers left, their audio and what they say.',
  'Media streams': 'The audio of a call over a WebSocket, to hear and to speak.',
  'Web clients': 'Web clients in a browser: one credential for each, and the tokens that log it in.',
  'Opt-outs': 'People who asked to get no more texts from a tenant.',
  'Webhook endpoints': 'Receivers of signed events, and what has been delivered to them.',
  Events: 'The durable record of all that happened, and tokens for the event socket.',
  'Usage and balance': 'What was used, and the prepaid balance that live usage is charged to.',
  'Opt-in forms': 'Public pages where people agree to receive texts, and the evidence that they did.',
  'API keys': 'Credentials of the account, for all of it or for one tenant.',
  Service: 'This description.',
  'Test mode': 'Plays the other side of the simulated carrier. For test keys.',
};
