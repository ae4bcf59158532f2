/** Runs what the documentation shows in other languages: the verifiers of signatures, both sockets, the price list. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { readPrices } from '../../src/domain/billing/prices.ts';
import { createSigner, signDelivery } from '../../src/domain/events/deliveries/signature.ts';
import { parseClientMessage } from '../../src/gateway/media/protocol.ts';
import { createCaller } from './caller.ts';
import { type Block, placeOf, ROOT } from './doc-pages.ts';
import { jsonValuesIn } from './doc-replies.ts';
import type { ShellInstall } from './doc-shell.ts';
import { openMediaClient } from './media-node.ts';
import { makeSenderAt } from './product-process.ts';
import { startReceiver } from './receiver.ts';
import { reachStatus, startStream } from './streams.ts';

export type Check = (block: Block, around: ShellInstall) => Promise<void>;

// The body of an async function, as a page's snippet is.
const AsyncFunction = (async () => undefined).constructor as new (
  ...namesAndText: string[]
) => (...values: unknown[]) => Promise<never>;

const baseOf = ({ rewrite }: ShellInstall) => rewrite('http://localhost:8080');
const callerOf = (around: ShellInstall) => createCaller(baseOf(around), around.keys.test_key);

type Signed = { secret: string; headers: Record<string, string>; body: string };

/** Gets one delivery as a receiver does. */
async function receiveSigned(around: ShellInstall): Promise<Signed> {
  const call = callerOf(around);
  const receiver = await startReceiver();
  const { body: endpoint } = await call('POST', '/v1/webhook_endpoints', { body: { url: receiver.url } });
  await call('POST', `/v1/webhook_endpoints/${endpoint.id}/test`, { body: {} });
  await receiver.close();
  const [delivery] = receiver.received;
  assert.ok(delivery !== undefined, 'the endpoint got no delivery');
  return { secret: endpoint.secret, headers: delivery.headers as Record<string, string>, body: delivery.body };
}

/** Returns a delivery as it came, with another body, with another secret, and one that was signed six minutes ago. */
function variantsOf(signed: Signed): Signed[] {
  const old = signDelivery({
    eventId: signed.headers['webhook-id'] as string,
    body: Buffer.from(signed.body),
    signers: [createSigner(signed.secret)],
    timestampS: Math.floor(Date.now() / 1000) - 360,
  });
  const headers = Object.fromEntries(Object.entries(old).map(([name, value]) => [name.toLowerCase(), value]));
  return [
    signed,
    { ...signed, body: `${signed.body} ` },
    { ...signed, secret: 'whsec_b3RoZXI=' },
    { ...signed, headers },
  ];
}

/** Both verifiers of a JavaScript module accept what was signed, and nothing else. */
export const verifiesInNode: Check = async ({ text }, around) => {
  const path = join(around.folder, 'verify.mjs');
  writeFileSync(path, text);
  const module = await import(pathToFileURL(path).href);
  const variants = variantsOf(await receiveSigned(around));
  for (const verify of [module.verifyServiceSignature, module.verifyStandardWebhook]) {
    const results = variants.map(({ secret, headers, body }) => verify(secret, headers, Buffer.from(body)));
    assert.deepEqual(results, [true, false, false, false]);
  }
};

const PYTHON_MAIN = `
import json, sys
variants = json.load(sys.stdin)
for verify in (verify_service_signature, verify_standard_webhook):
    print(json.dumps([verify(v["secret"], v["headers"], v["body"].encode()) for v in variants]))
`;

/** The same in Python, where it is installed. */
export const verifiesInPython: Check = async ({ text }, around) => {
  const path = join(around.folder, 'verify.py');
  writeFileSync(path, text + PYTHON_MAIN);
  const input = JSON.stringify(variantsOf(await receiveSigned(around)));
  const { error, stdout, stderr } = spawnSync('python3', [path], { input, encoding: 'utf8' });
  if ((error as NodeJS.ErrnoException | undefined)?.code === 'ENOENT') return;
  const expected = '[true, false, false, false]\n';
  assert.equal(stdout, expected + expected, stderr);
};

/** The page's socket passes on an event that happens after it has opened. */
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
  /** The library's phone without a microphone, which Node does not have. */
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

/** The page's web client logs in, and rings when it is the agent of a call. */
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

/** Every message that the page shows has the fields of one that the server sends. */
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

/** Every message that the page shows is one that the server reads. */
export const isReadByStreams: Check = async (block) => {
  for (const line of block.text.trim().split('\n')) {
    assert.ok(!('malformed' in parseClientMessage(line.replace('…', ''))), `${placeOf(block)}: ${line}`);
  }
};

export const isPriceList: Check = async (block) => {
  readPrices(JSON.parse(block.text));
};
