/** Checks of blocks of the documentation: JavaScript, the price list, and the messages of both sockets. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { readPrices } from '../../src/domain/billing/prices.ts';
import { parseClientMessage } from '../../src/gateway/media/protocol.ts';
import { createCaller } from './caller.ts';
import { type Block, placeOf, ROOT } from './doc-pages.ts';
import { jsonValuesIn } from './doc-replies.ts';
import type { ShellInstall } from './doc-shell.ts';
import { openMediaClient } from './media-node.ts';
import { makeSenderAt } from './product-process.ts';
import { reachStatus, startStream } from './streams.ts';

export type Check = (block: Block, around: ShellInstall) => Promise<void>;

// The body of an async function. A page's snippet has this form.
const AsyncFunction = (async () => undefined).constructor as new (
  ...namesAndText: string[]
) => (...values: unknown[]) => Promise<never>;

/** The lines are in an example, which a test runs. */
export const standsIn =
  (example: string): Check =>
  async ({ text }) => {
    const lines = (given: string) => given.split('\n').map((line) => line.trim());
    const program = lines(readFileSync(join(ROOT, 'examples', example), 'utf8')).join('\n');
    assert.ok(program.includes(lines(text).join('\n').trim()), `examples/${example} has these lines`);
  };

const SDK = pathToFileURL(join(ROOT, 'packages/sdk/src/')).href;

/** The block is a whole file of tests. They pass. */
export const passesAsTest: Check = async ({ text }, { folder }) => {
  const path = join(folder, 'page.test.mjs');
  const linked = text.replace("'@dialplane/sdk'", `'${SDK}index.ts'`);
  writeFileSync(path, linked.replace("'@dialplane/sdk/testing'", `'${SDK}testing.ts'`));
  // Otherwise the tests would report to the runner of this test.
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const { stdout } = await promisify(execFile)(process.execPath, [path], { env });
  assert.match(stdout, /^[#ℹ] pass [1-9]/m);
};

const baseOf = ({ rewrite }: ShellInstall) => rewrite('http://localhost:8080');
export const callerOf = (around: ShellInstall) => createCaller(baseOf(around), around.keys.test_key);

/** The page's socket passes on an event that happens after the socket has opened. */
export const receivesEvents: Check = async ({ text }, around) => {
  const call = callerOf(around);
  const { body: token } = await call('POST', '/v1/realtime/tokens', { body: {} });
  const refreshed = Promise.withResolvers<{ object: string }>();
  const connect = new AsyncFunction('url', 'token', 'refresh', `${text}\nreturn { socket };`);
  const { socket }: { socket: WebSocket } = await connect(token.url, token.token, refreshed.resolve);
  await new Promise((resolve) => socket.addEventListener('open', resolve));
  const { body: number } = await call('GET', '/v1/phone_numbers?limit=1');
  const sent = { from: '+16025550143', to: number.data[0].phone_number, body: 'Is Biscuit ready?' };
  await call('POST', '/v1/test/inbound_messages', { body: sent });
  assert.equal((await refreshed.promise).object, 'event');
  socket.close();
};

/** Runs a page's script with a web client that has logged in, and returns the script's phone. */
async function runPhone(text: string, around: ShellInstall, globals: Record<string, unknown>) {
  const call = callerOf(around);
  const { numberId, tenantId } = await makeSenderAt(call);
  const { body: client } = await call('POST', '/v1/web_clients', { body: { tenant_id: tenantId } });
  const { body: login } = await call('POST', `/v1/web_clients/${client.id}/tokens`, { body: {} });
  const { Softphone, WebSocketTransport } = await import(pathToFileURL(`${ROOT}packages/softphone/src/index.js`).href);
  /** The library's phone without a microphone, because Node has none. */
  function SilentPhone({ url }: { url: string }) {
    const transport = new WebSocketTransport({ url });
    transport.prepareAudio = async () => undefined;
    const phone = new Softphone({ transport });
    phone.on('error', () => undefined);
    return phone;
  }
  const fetchToken = async () => ({ text: async () => login.token });
  const values = { Softphone: SilentPhone, fetch: fetchToken, ...globals };
  const script = text.replace(/^import .*$/m, '').replace('https://phone.example', baseOf(around));
  const run = new AsyncFunction(...Object.keys(values), `${script}\nreturn { phone };`);
  const { phone }: { phone: { disconnect(): void } } = await run(...Object.values(values));
  return { call, phone, numberId, clientId: client.id };
}

/** The page's web client logs in, and rings when a call has it as its agent. */
export const ringsInThePage: Check = async ({ text }, around) => {
  const rings = Promise.withResolvers<string>();
  const globals = { showRinging: rings.resolve, showConnected: () => undefined, showIdle: () => undefined };
  const { call, phone, numberId, clientId } = await runPhone(text, around, globals);
  const placed = { from: numberId, to: '+16025550143', connect_to: clientId };
  await call('POST', '/v1/calls', { body: placed });
  assert.match(await rings.promise, /^\+1602/);
  phone.disconnect();
};

/** The page's web client logs in and places a call. */
export const placesACall: Check = async ({ text }, around) => {
  const { call, phone } = await runPhone(text, around, { ask: async () => false, console: { log: () => undefined } });
  const { body } = await call('GET', '/v1/calls?limit=1');
  assert.equal(body.data[0].to, '+16025550143');
  phone.disconnect();
};

/** Every message on the page has the fields of a message that the server sends. */
export const isSentByStreams: Check = async (block, around) => {
  const call = callerOf(around);
  const { numberId: from } = await makeSenderAt(call);
  const placed = { from, to: '+16025550143', connect_to: '+16025550117' };
  const { body: placedCall } = await call('POST', '/v1/calls', { body: placed });
  await reachStatus({ call }, placedCall.id, 'in_progress');
  const stream = await startStream({ call }, placedCall.id, { direction: 'bidirectional' });
  const client = openMediaClient(`${stream.url}?token=${stream.token}`);
  await client.until(([first]) => first);
  client.send({ event: 'mark', name: 'greeting' });
  await call('POST', `/v1/calls/${placedCall.id}/dtmf`, { body: { digits: '5' } });
  const has = (event: string) => client.until((messages) => messages.find((message) => message.event === event));
  for (const event of ['media', 'mark', 'dtmf']) await has(event);
  await call('DELETE', `/v1/calls/${placedCall.id}/streams/${stream.id}`);
  await client.closed;
  for (const shown of jsonValuesIn(block.text) as { event: string }[]) {
    const sent = client.messages.find(({ event }) => event === shown.event);
    assert.deepEqual(Object.keys(shown), Object.keys(sent ?? {}), `${placeOf(block)}: ${shown.event}`);
  }
};

/** The server can read every message on the page. */
export const isReadByStreams: Check = async (block) => {
  for (const line of block.text.trim().split('\n')) {
    assert.ok(!('malformed' in parseClientMessage(line.replace('…', ''))), `${placeOf(block)}: ${line}`);
  }
};

export const isPriceList: Check = async (block) => {
  readPrices(JSON.parse(block.text));
};
