/**
 * The elements of Dialplane on a page of your product: the server that mints a browser session for the person who is
 * signed in, and the page. The API key stays on the server. README.md says how to run it.
 */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type BrowserSessionWithToken, type Dialplane, DialplaneError } from '@dialplane/sdk';
import { TestMode } from '@dialplane/sdk/testing';
import { ensureNumber, ensureRouting, isDemo, newPerson, run, say, untilStopped } from '../shared/local-server.ts';

const INSTALLATION = process.env['DIALPLANE_URL'] ?? 'http://localhost:8080';
const SOCKETS = INSTALLATION.replace(/^http/, 'ws');

/** The elements load their audio worklet from a blob: address, and connect to the installation. */
const POLICY = [
  "default-src 'self'",
  `script-src 'self' ${INSTALLATION} blob:`,
  `connect-src 'self' ${INSTALLATION} ${SOCKETS}`,
  `media-src ${INSTALLATION}`,
  'img-src https: data:',
  "frame-ancestors 'self'",
].join('; ');

const read = (name: string) => readFileSync(new URL(name, import.meta.url), 'utf8');
const FILES: Record<string, { type: string; body: string }> = {
  '/': { type: 'text/html; charset=utf-8', body: read('page.html').replaceAll('{{installation}}', INSTALLATION) },
  '/desk.js': { type: 'text/javascript', body: read('desk.js') },
  '/desk.css': { type: 'text/css', body: read('desk.css') },
};

/** The person who is signed in: whose tenant the page shows, and which web client rings. */
type Person = { tenantId: string; webClientId: string };

/** Mints a session for a person. It works for pages of our own origin only. */
function mint(client: Dialplane, { tenantId, webClientId }: Person, origin: string): Promise<BrowserSessionWithToken> {
  return client.browserSessions.create({
    tenant_id: tenantId,
    abilities: ['conversations:read', 'messages:send', 'calls:read', 'calls:place', 'events:read', 'phone'],
    allowed_origins: [origin],
    web_client_id: webClientId,
  });
}

/** Returns the web client of the desk, and rings it when the number is called. */
async function ensureWebClient(client: Dialplane, number: Awaited<ReturnType<typeof ensureNumber>>): Promise<string> {
  const { data } = await client.webClients.list({ tenant_id: number.tenant_id });
  const known = data.find(({ status }) => status === 'active');
  const { id } = known ?? (await client.webClients.create({ tenant_id: number.tenant_id, name: 'Front desk' }));
  const open_behavior = { type: 'ring', targets: [id], timeout_seconds: 20, no_answer: null };
  await ensureRouting(client, number, { name: 'Front desk', open_behavior: { ...open_behavior, type: 'ring' } });
  return id;
}

await run(async (client) => {
  const number = await ensureNumber(client, 'embedded-elements');
  const desk = { tenantId: number.tenant_id, webClientId: await ensureWebClient(client, number) };
  /** Your own login belongs here. It returns the person, or undefined. */
  const signedIn = (_request: IncomingMessage): Person | undefined => desk;

  const answer = async (request: IncomingMessage, reply: ServerResponse, origin: string): Promise<void> => {
    const file = FILES[request.url ?? ''];
    if (request.method === 'GET' && file !== undefined) {
      reply.writeHead(200, { 'content-type': file.type, 'content-security-policy': POLICY }).end(file.body);
      return;
    }
    const person = signedIn(request);
    // Other sites cannot make a browser send such a request: their requests have another Origin.
    const isOwn = request.method === 'POST' && request.url === '/browser-session' && request.headers.origin === origin;
    if (person === undefined || !isOwn) {
      reply.writeHead(person === undefined ? 401 : 404).end();
      return;
    }
    const session = await mint(client, person, origin);
    reply.writeHead(200, { 'content-type': 'application/json', 'cache-control': 'no-store' });
    reply.end(JSON.stringify(session));
  };

  const server = createServer((request, reply) => {
    answer(request, reply, origin).catch((error) => {
      console.error(DialplaneError.is(error) ? error.message : error);
      reply.writeHead(500).end();
    });
  });
  server.listen(isDemo ? 0 : Number(process.env['DESK_PORT'] ?? 8210), '127.0.0.1');
  await once(server, 'listening');
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  say(`The desk of ${number.phone_number}: ${origin}/`);
  try {
    await (isDemo ? demonstrate(client, number.phone_number, origin) : untilStopped());
  } finally {
    server.close();
    server.closeAllConnections();
  }
});

/** Makes the requests of the page, without a browser. */
async function demonstrate(client: Dialplane, number: string, origin: string): Promise<void> {
  const minted = await fetch(`${origin}/browser-session`, { method: 'POST', headers: { origin } });
  const { token, expires_at } = (await minted.json()) as BrowserSessionWithToken;
  say(`The page has a session until ${expires_at}.`);
  const ask = async (path: string, from = origin) => {
    const reply = await fetch(`${INSTALLATION}/v1${path}`, {
      headers: { authorization: `Bearer ${token}`, origin: from },
    });
    return { status: reply.status, body: (await reply.json()) as { data: { last_message_preview: string }[] } };
  };
  await new TestMode(client).phone(newPerson()).text(number, 'Is Biscuit ready?');
  say(`  the newest conversation: ${(await ask('/conversations')).body.data[0]?.last_message_preview}`);
  say(`  a page of another origin: ${(await ask('/conversations', 'https://elsewhere.example')).status}`);
  say(`  an operation without its ability: ${(await ask('/voicemails')).status}`);
  say(`  an operation of the account: ${(await ask('/api_keys')).status}`);
}
