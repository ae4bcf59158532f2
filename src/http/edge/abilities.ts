/**
 * The operations that a browser session may use. A session has abilities, and each ability allows the operations of its
 * row. Every other operation is refused. Pages of other origins may use these operations with a session's token,
 * without cookies (CORS).
 */
import type { IncomingMessage } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Ability, BrowserGrant } from '../../lib/abilities.ts';
import { ApiError } from '../../lib/errors/errors.ts';

const NUMBERS = ['GET /v1/phone_numbers', 'GET /v1/phone_numbers/:number_id'];
const TEMPLATES = ['GET /v1/message_templates', 'GET /v1/message_templates/:template_id'];

/** By ability: method and route of the operations that it allows. All of them are limited to the session's tenant. */
export const OPERATIONS: Readonly<Record<Ability, readonly string[]>> = {
  'conversations:read': [
    'GET /v1/conversations',
    'GET /v1/conversations/:conversation_id',
    'GET /v1/conversations/:conversation_id/timeline',
    'POST /v1/conversations/:conversation_id/read',
    'GET /v1/conversations/:conversation_id/notes',
    'GET /v1/messages',
    'GET /v1/messages/:message_id',
    'GET /v1/messages/:message_id/media/:position',
    'GET /v1/opt_outs',
    'GET /v1/contacts',
    'GET /v1/contacts/:contact_id',
    ...NUMBERS,
  ],
  'messages:send': [
    'POST /v1/messages',
    'POST /v1/messages/check',
    'POST /v1/messages/:message_id/cancel',
    ...TEMPLATES,
    ...NUMBERS,
  ],
  'calls:read': [
    'GET /v1/calls',
    'GET /v1/calls/:call_id',
    'GET /v1/calls/:call_id/transcript',
    'GET /v1/recordings',
    'GET /v1/recordings/:recording_id',
    'GET /v1/recordings/:recording_id/audio',
    ...NUMBERS,
  ],
  'calls:place': [
    'POST /v1/calls',
    'POST /v1/calls/check',
    'POST /v1/calls/:call_id/hangup',
    'POST /v1/calls/:call_id/hold',
    'POST /v1/calls/:call_id/resume',
    'POST /v1/calls/:call_id/recording',
    'POST /v1/calls/:call_id/dtmf',
    'POST /v1/calls/:call_id/transfer',
    'POST /v1/calls/:call_id/opt_out',
    ...NUMBERS,
  ],
  'voicemails:read': [
    'GET /v1/voicemails',
    'GET /v1/voicemails/:voicemail_id',
    'GET /v1/voicemails/:voicemail_id/audio',
  ],
  'events:read': ['POST /v1/realtime/tokens'],
  phone: [
    'GET /v1/web_clients',
    'POST /v1/web_clients/:web_client_id/tokens',
    'GET /v1/queues',
    'PUT /v1/queues/:queue_id/agents/:agent/availability',
  ],
  'conversations:write': [
    'PATCH /v1/conversations/:conversation_id',
    'POST /v1/conversations/:conversation_id/notes',
    'DELETE /v1/conversations/:conversation_id/notes/:note_id',
  ],
};

const abilitiesOf = new Map<string, Ability[]>();
for (const [ability, operations] of Object.entries(OPERATIONS) as [Ability, readonly string[]][]) {
  for (const operation of operations) {
    abilitiesOf.set(operation, [...(abilitiesOf.get(operation) ?? []), ability]);
  }
}

/** The paths of the table, with the methods that pages may use on them. */
const paths = [...Map.groupBy(abilitiesOf.keys(), (operation) => operation.split(' ')[1] as string)].map(
  ([path, operations]) => ({
    pattern: new RegExp(`^${path.replaceAll(/:\w+/g, '[^/]+')}$`),
    methods: [...new Set(operations.map((operation) => operation.split(' ')[0] as string))].sort(),
  }),
);

const TOKEN = /^bearer +svcbs_/i;
const REQUEST_HEADERS = 'authorization, content-type, idempotency-key, range';
const REPLY_HEADERS = 'request-id, retry-after, ratelimit, ratelimit-policy, idempotent-replayed, content-range';
/** How long a browser may cache the reply to a preflight. No browser caches it for longer than two hours. */
const PREFLIGHT_S = 7_200;
/** The most characters of an origin that a refusal repeats. No host name is this long. */
const ORIGIN_CHARS_MAX = 300;

/**
 * Answers a preflight (Fetch standard, 4.8) of the operations above. For a request with a session's token, sets the
 * headers that let the page read the reply, including a refusal. Other requests get no such headers. Returns true if it
 * has answered the request.
 */
export function serveBrowser(request: FastifyRequest, reply: FastifyReply): boolean {
  const { origin, authorization = '' } = request.headers;
  if (origin === undefined) return false;
  const asked = request.method === 'OPTIONS' ? request.headers['access-control-request-method'] : undefined;
  if (asked === undefined && !TOKEN.test(authorization)) return false;
  const url = request.url.split('?', 1)[0] as string;
  // A path may match two patterns: /v1/messages/check also matches /v1/messages/:message_id.
  const methods = paths.filter(({ pattern }) => pattern.test(url)).flatMap((path) => path.methods);
  if (asked === undefined ? methods.length === 0 : !methods.includes(asked)) return false;
  reply.headers({ 'access-control-allow-origin': origin, vary: 'origin' });
  if (asked !== undefined) answerPreflight(reply, [...new Set(methods)].sort().join(', '));
  else reply.header('access-control-expose-headers', REPLY_HEADERS);
  return asked !== undefined;
}

/**
 * Returns headers for the refusal of a request that reached no app. They let a page read the refusal. A request without
 * a session's token gets none.
 */
export function headersForPage({ headers: { origin, authorization = '' } }: IncomingMessage): Record<string, string> {
  if (origin === undefined || !TOKEN.test(authorization)) return {};
  return { 'access-control-allow-origin': origin, vary: 'origin', 'access-control-expose-headers': REPLY_HEADERS };
}

function answerPreflight(reply: FastifyReply, methods: string): void {
  const headers = {
    'access-control-allow-methods': methods,
    'access-control-allow-headers': REQUEST_HEADERS,
    'access-control-max-age': String(PREFLIGHT_S),
  };
  void reply.code(204).headers(headers).send();
}

/**
 * Refuses a request that a browser session does not cover: an operation without its ability, or a page of another
 * origin. Error: key_not_permitted.
 */
export function requireAbility(
  request: FastifyRequest,
  { abilities, allowedOrigins }: BrowserGrant,
  publicUrl: string,
): void {
  if (allowedOrigins !== null) requireOrigin(request, allowedOrigins, publicUrl);
  const { method, routeOptions } = request;
  const needed = abilitiesOf.get(`${method === 'HEAD' ? 'GET' : method} ${routeOptions.url}`) ?? [];
  if (needed.some((ability) => abilities.includes(ability))) return;
  const message =
    needed.length === 0
      ? 'No browser session can use this operation.'
      : `This browser session needs ${needed.map((ability) => `"${ability}"`).join(' or ')} for this operation.`;
  throw new ApiError('key_not_permitted', { message });
}

function requireOrigin({ headers }: FastifyRequest, allowed: readonly string[], publicUrl: string): void {
  // For a GET to its own origin, a browser sends no Origin.
  const ownOrigin = headers['sec-fetch-site'] === 'same-origin' ? new URL(publicUrl).origin : undefined;
  const origin = headers.origin ?? ownOrigin;
  if (origin !== undefined && allowed.includes(origin)) return;
  const from = origin === undefined ? 'requests without an origin' : `pages of ${origin.slice(0, ORIGIN_CHARS_MAX)}`;
  const message = `This browser session is not for ${from}: its allowed_origins name others.`;
  throw new ApiError('key_not_permitted', { message });
}
