/**
 * An inbox inside your product: a page with the conversations of one tenant, which follows the realtime socket, and the
 * server behind it. The browser never sees an API key: it has a session of this server, and a token for the socket.
 * README.md says how to run it.
 */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Conversation, type Dialplane, DialplaneError } from '@dialplane/sdk';
import { ensureNumber, isDemo, readBody, run, say, untilStopped } from '../shared/local-server.ts';
import { demonstrate } from './demo.ts';
import { Sessions } from './sessions.ts';

const BODY_BYTES_MAX = 16 * 1024;
const PAGE_HEADERS = {
  'content-security-policy': "default-src 'self'; img-src data:; connect-src 'self' ws: wss:; frame-ancestors 'self'",
  'x-content-type-options': 'nosniff',
};
const FILES: Record<string, { type: string; body: Buffer }> = {
  '/': { type: 'text/html; charset=utf-8', body: readFileSync(new URL('page.html', import.meta.url)) },
  '/inbox.js': { type: 'text/javascript', body: readFileSync(new URL('inbox.js', import.meta.url)) },
};

const sessions = new Sessions();

/** A refusal for the browser: an HTTP status and a code, in place of a result. */
class Refused extends Error {
  readonly status: number;

  constructor(status: number, code: string) {
    super(code);
    this.status = status;
  }
}

type Asked = { tenantId: string; id: string; body: { key?: string; text?: string } };

/** The requests of the page. Each acts for the tenant of the session, and never for a tenant in the request. */
const ROUTES: [string, RegExp, (client: Dialplane, asked: Asked) => Promise<unknown>][] = [
  [
    'GET',
    /^\/conversations$/,
    async (client, { tenantId }) => (await client.conversations.list({ tenant_id: tenantId, limit: 50 })).data,
  ],
  [
    'GET',
    /^\/conversations\/(\w+)$/,
    async (client, asked) => {
      const { id } = await own(client, asked);
      return (await client.conversations.getTimeline(id, { limit: 50 })).data;
    },
  ],
  [
    'POST',
    /^\/conversations\/(\w+)\/messages$/,
    async (client, asked) => {
      const { phone_number_id: from, external_number: to } = await own(client, asked);
      // The page makes a key for each text, so a double click or a repeat sends it once.
      const { key, text: body } = asked.body;
      if (!/^[\w-]{16,64}$/.test(key ?? '') || typeof body !== 'string') throw new Refused(400, 'invalid_body');
      return client.messages.send({ from, to, body }, { idempotencyKey: `inbox-${asked.tenantId}-${key}` });
    },
  ],
  ['POST', /^\/socket-token$/, (client, { tenantId }) => client.events.createRealtimeToken({ tenant_id: tenantId })],
];

/** Returns the conversation, if it is the tenant's. */
async function own(client: Dialplane, { tenantId, id }: Asked): Promise<Conversation> {
  const conversation = await client.conversations.get(id);
  if (conversation.tenant_id !== tenantId) throw new Refused(404, 'conversation_not_found');
  return conversation;
}

async function handle(client: Dialplane, request: IncomingMessage, reply: ServerResponse): Promise<void> {
  const { pathname } = new URL(request.url ?? '/', 'http://inbox');
  const login = /^\/login\/([\w-]+)$/.exec(pathname)?.[1];
  if (login !== undefined) {
    const cookie = sessions.logIn(login);
    if (cookie === undefined) throw new Refused(401, 'login_used');
    reply.writeHead(303, { location: '/', 'set-cookie': cookie }).end();
    return;
  }
  const tenantId = sessions.tenantOf(request.headers.cookie);
  if (tenantId === undefined) throw new Refused(401, 'no_session');
  const file = FILES[pathname];
  if (request.method === 'GET' && file !== undefined) {
    reply.writeHead(200, { ...PAGE_HEADERS, 'content-type': file.type }).end(file.body);
    return;
  }
  const [, path, answer] = ROUTES.find(([method, each]) => method === request.method && each.test(pathname)) ?? [];
  if (path === undefined || answer === undefined) throw new Refused(404, 'not_found');
  const id = path.exec(pathname)?.[1] ?? '';
  const result = await answer(client, { tenantId, id, body: await bodyOf(request) });
  reply.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(result));
}

async function bodyOf(request: IncomingMessage): Promise<Asked['body']> {
  if (request.method === 'GET') return {};
  const body = await readBody(request, BODY_BYTES_MAX);
  if (body === undefined) throw new Refused(413, 'body_too_large');
  try {
    return JSON.parse(body.toString('utf8')) ?? {};
  } catch {
    throw new Refused(400, 'invalid_body');
  }
}

/** Answers with the code of a refusal. The page shows the codes of the API, such as recipient_opted_out. */
function refuse(error: unknown, reply: ServerResponse): void {
  let [status, code] = [500, 'failed'];
  if (error instanceof Refused) [status, code] = [error.status, error.message];
  else if (DialplaneError.is(error) && (error.status ?? 500) < 500) [status, code] = [error.status ?? 500, error.code];
  else console.error(error);
  reply.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify({ error: code }));
}

await run(async (client) => {
  const number = await ensureNumber(client, 'embedded-inbox');
  const server = createServer((request, reply) => {
    handle(client, request, reply).catch((error) => refuse(error, reply));
  });
  server.listen(isDemo ? 0 : Number(process.env['INBOX_PORT'] ?? 8200), '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const login = `${url}${sessions.createLogin(number.tenant_id)}`;
  say(`The inbox of ${number.phone_number}. Open it in a browser, once: ${login}`);
  try {
    await (isDemo ? demonstrate({ client, number, url, login }) : untilStopped());
  } finally {
    server.close();
    server.closeAllConnections();
  }
});
