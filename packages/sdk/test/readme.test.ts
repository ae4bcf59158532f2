/** Runs the examples of the README against a server. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import http from 'node:http';
import { test } from 'node:test';
import * as ws from 'ws';
import { closeAfterTests } from '../../../test/support/close-after-tests.ts';
import { blocksOf } from '../../../test/support/doc-pages.ts';
import { useHarness } from '../../../test/support/harness.ts';
import { until } from '../../../test/support/jobs.ts';
import * as sdk from '../src/index.ts';
import * as relay from '../src/relay.ts';
import * as resources from '../src/resources.ts';
import * as testing from '../src/testing.ts';
import { useSocketProxy } from './support/socket-proxy.ts';

const AsyncFunction = (async () => undefined).constructor as new (
  ...parts: string[]
) => (...values: unknown[]) => unknown;
const MODULES: Record<string, object> = {
  '@dialplane/sdk': sdk,
  '@dialplane/sdk/realtime': sdk,
  '@dialplane/sdk/relay': relay,
  '@dialplane/sdk/resources': resources,
  '@dialplane/sdk/testing': testing,
  'node:http': http,
  ws,
};

// biome-ignore lint/suspicious/noExplicitAny: what an example defines is known to its test
type Ran = { lines: unknown[][]; [name: string]: any };

const harness = await useHarness();
const proxy = await useSocketProxy(new URL(harness.url));
const env = { DIALPLANE_KEY: harness.account.test_key };
const blocks = blocksOf('packages/sdk/README.md').filter(({ language }) => language === 'ts');
const ran = new Set<string>();

/** Runs the block that contains a text. @returns the values of the names that it defines */
async function runBlock(containing: string, values: Record<string, unknown>): Promise<Ran> {
  const found = blocks.filter(({ text }) => text.includes(containing));
  assert.equal(found.length, 1, `one block has ${containing}`);
  const text = found[0]?.text ?? '';
  ran.add(text);
  const lines: unknown[][] = [];
  const imported: Record<string, unknown> = {};
  for (const [, names = '', module = ''] of text.matchAll(/^import \{ (.*) \} from '(.*)';$/gm)) {
    for (const name of names.split(', ')) imported[name] = (MODULES[module] as Record<string, unknown>)[name];
  }
  const defined = [...text.matchAll(/^const (?:\{ (\w+) \}|(\w+)) =/gm)].map(([, inner, name]) => inner ?? name);
  const code = text
    .replaceAll(/^import .*$/gm, '')
    .replace('https://phone.example', harness.url)
    .replace('}).listen(9000)', '}).listen(port)');
  const scope = {
    process: { env },
    console: { log: (...line: unknown[]) => lines.push(line) },
    ...imported,
    ...values,
  };
  const run = new AsyncFunction(...Object.keys(scope), `${code}\nreturn { ${defined.join(', ')} };`);
  return { lines, ...((await run(...Object.values(scope))) as object) };
}

const { client, tenant, number, message } = await runBlock('new Dialplane(', {});

test('the first example sends a text', async () => {
  assert.equal(message.body, 'Biscuit is due.');
  await harness.advance(2);
  assert.equal((await client.messages.get(message.id)).status, 'delivered');
});

test('lists are read', async () => {
  await client.test.createInboundCall({ from: '+16025550150', to: number.phone_number });
  const { lines } = await runBlock('for await', { client });
  assert.deepEqual(lines, [['+16025550150'], [1, false]]);
});

test('a refusal is an error with its code', async () => {
  const { lines } = await runBlock('DialplaneError.is', { client, number });
  assert.equal(lines[0]?.[0], 'invalid_to');
  assert.equal(lines[0]?.[1], 'to');
  assert.match(String(lines[0]?.[2]), /^req_/);
});

test('the receiver accepts what is signed, and nothing else', async () => {
  const servers: http.Server[] = [];
  const createServer = (listener: http.RequestListener) => {
    const server = http.createServer(listener);
    servers.push(server);
    return server;
  };
  closeAfterTests(() => servers[0]?.close());
  const secret = 'whsec_DNtU4ovYuODtpF+hSTsymXRPViAn/+H7MwT0t08ALuY=';
  const { lines } = await runBlock('webhooks.unwrap', {
    createServer,
    port: 0,
    process: { env: { NEW_SECRET: secret } },
  });
  const [server] = servers as [http.Server];
  if (!server.listening) await once(server, 'listening');
  const { port } = server.address() as { port: number };
  const body = JSON.stringify({ type: 'message.received', data: { from: '+16025550143', body: 'Hi' } });
  const headers = await sdk.webhooks.sign(body, secret);
  const post = async (text: string) =>
    (await fetch(`http://127.0.0.1:${port}`, { method: 'POST', headers, body: text })).status;
  assert.equal(await post(body), 204);
  assert.equal(await post(`${body} `), 400);
  assert.deepEqual(lines, [['+16025550143', 'Hi']]);
});

const viaProxy = async (body: object) => {
  return { ...(await client.events.createRealtimeToken(body)), url: `ws://${proxy.host}/v1/realtime` };
};

test('a server follows events', async () => {
  const realtimeFromApi = (api: sdk.Dialplane, scope: object) => {
    return { ...sdk.realtimeFromApi(api, scope), token: () => viaProxy(scope) };
  };
  const { lines, realtime } = await runBlock('realtimeFromApi(client', { client, tenant, realtimeFromApi });
  await new Promise((resolve) => realtime.on('open', resolve));
  await client.test.simulateInboundMessage({ from: '+16025550143', to: number.phone_number, body: 'Now' });
  await until('the event', () => lines.length > 0);
  assert.deepEqual(lines, [['Now']]);
  realtime.close();
});

test('a page follows events, and reads again after a gap', async () => {
  const refreshed: string[] = [];
  let gaps = 0;
  const { realtime } = await runBlock('/my-server/realtime-token', {
    fetch: async () => ({ json: () => viaProxy({ tenant_id: tenant.id }) }),
    refresh: (id: string) => refreshed.push(id),
    refreshAll: () => {
      gaps += 1;
    },
  });
  await new Promise((resolve) => realtime.on('open', resolve));
  const sent = await client.test.simulateInboundMessage({ from: '+16025550143', to: number.phone_number, body: 'Now' });
  await until('the event', () => refreshed.includes(sent.id));
  proxy.cut();
  await until('the gap', () => gaps === 1);
  realtime.close();
});

test('the audio of a call is received and played', async () => {
  const call = await client.calls.create({ from: number.id, to: '+16025550143', connect_to: '+16025550117' });
  await until('the answer', async () => (await client.calls.get(call.id)).status === 'in_progress');
  const samples: Int16Array[] = [];
  const here = {
    mediaStreams: {
      create: async (id: string, body: object) => {
        const stream = await client.mediaStreams.create(id, body);
        return { ...stream, url: `ws://${proxy.host}${new URL(stream.url).pathname}` };
      },
    },
  };
  const recognizer = { write: (pcm: Int16Array) => samples.push(pcm) };
  const greeting = new Int16Array(4_000).fill(1_000);
  const { end, media } = await runBlock('new MediaConnection', { client: here, call, recognizer, greeting });
  assert.equal(end, 'played');
  assert.equal(samples[0]?.length, 160);
  media.close();
});

test('an agent greets, answers by its model, and hands over', async () => {
  const servers: ws.WebSocketServer[] = [];
  class WebSocketServer extends ws.WebSocketServer {
    constructor() {
      super({ port: 0, host: '127.0.0.1' });
      servers.push(this);
    }
  }
  closeAfterTests(() => servers[0]?.close());
  const asked: string[] = [];
  const model = {
    async *answer(question: string, { signal }: { signal: AbortSignal }) {
      asked.push(`${question} ${signal.aborted}`);
      yield* ['We ', 'are ', 'open.'];
    },
  };
  await runBlock('createRelay', { WebSocketServer, model });
  const [server] = servers as [ws.WebSocketServer];
  await once(server, 'listening');
  const url = `ws://127.0.0.1:${(server.address() as { port: number }).port}/`;
  const call = await client.calls.create({ from: number.id, to: '+16025550143', connect_to: '+16025550117' });
  await until('the answer', async () => (await client.calls.get(call.id)).status === 'in_progress');
  await harness.call('POST', `/v1/calls/${call.id}/relay`, { body: { url, parameters: { name: 'Maria' } } });
  await until('the connection', () => server.clients.size === 1);
  await client.test.speechCall(call.id, { speaker: 'customer', text: 'Are you open?' });
  await until('the question', () => asked[0] === 'Are you open? false');
  await client.test.dtmfCall(call.id, { digits: '1' });
  const path = `/v1/calls/${call.id}/relay`;
  await until('the end', async () => (await harness.call('GET', path)).body.status === 'ended');
  assert.equal((await harness.call('GET', path)).body.handoff_data, '{"wants":"a person","digit":"1"}');
});

test('a dialogue with an agent is a test', async () => {
  const accept = relay.createRelay({
    onSetup: ({ customParameters }) => `Hello ${customParameters['name']}.`,
    onPrompt: () => 'We are open from nine to five.',
    onDtmf: (_dtmf, session) => session.end('a person'),
    onError: ({ description }) => assert.fail(description),
  });
  assert.equal((await runBlock('caller = await callAgent', { accept })).handoffData, 'a person');
  await runBlock('customer = await callAgent', { accept });
});

test('a page reads through the server of its own, which adds the key', async () => {
  const fromPage: unknown[] = [];
  const server = http.createServer(async ({ url = '', headers }, response) => {
    fromPage.push(headers['x-from-page'], headers.authorization);
    const authorization = `Bearer ${harness.account.test_key}`;
    const reply = await fetch(harness.url + url.replace('/phone', ''), { headers: { authorization } });
    response.setHeader('content-type', 'application/json').end(await reply.text());
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  closeAfterTests(() => server.close());
  const baseUrl = `http://127.0.0.1:${(server.address() as { port: number }).port}/phone`;
  const createResources = (options: resources.ResourcesOptions) => resources.createResources({ ...options, baseUrl });
  const { data } = await runBlock('createResources', { createResources });
  assert.ok(data.length > 0);
  assert.deepEqual(fromPage, ['1', undefined]);
});

test('the other side is played', async () => {
  const { reply, lab } = await runBlock('new TestMode', { client, number });
  assert.deepEqual([reply.body, reply.to], ['Yes', number.phone_number]);
  assert.ok((await lab.now()).getTime() > Date.now() + 86_000_000);
});

test('every example was run', () => {
  assert.deepEqual(
    blocks.filter(({ text }) => !ran.has(text)).map(({ text }) => text),
    [],
  );
});
