/** The subject of `first-adapter.ts`: a local carrier with an HTTP API, and the handsets behind it. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text as readText } from 'node:stream/consumers';
import { test } from 'node:test';
import type { CarrierEvent } from '../../src/carriers/ports/carrier.ts';
import { newId } from '../../src/lib/ids.ts';
import { FIRST_KIND } from './first-adapter.ts';
import { describeMessagingConformance } from './messaging.ts';

type Text = { readonly to: string; readonly body: string };

const KEY = 'key-of-the-account';
const OWN_NUMBER = '+16025550100';
const TO = { delivered: '+16025550199', undeliverable: '+16025550198', unavailable: '+16025550197' };

/** Starts a carrier that delivers a text as soon as it has it. */
async function startCarrier() {
  const texts = new Map<string, Text>();
  const events: CarrierEvent[] = [];

  const put = (ref: string, sent: Text): number => {
    if (sent.to === TO.unavailable) return 503;
    if (texts.has(ref)) return 200;
    texts.set(ref, sent);
    const failed = { status: 'failed', failureReason: 'unreachable' } as const;
    events.push({ type: 'message.receipt', ref, ...(sent.to === TO.undeliverable ? failed : { status: 'delivered' }) });
    return 200;
  };
  const server = createServer(async (request, response) => {
    const [, name, ref = ''] = (request.url ?? '').split('/');
    const body = await readText(request);
    if (request.headers.authorization !== `Bearer ${KEY}`) return response.writeHead(401).end();
    if (name === 'account') return response.writeHead(200).end();
    if (request.method === 'GET') return response.writeHead(texts.has(ref) ? 200 : 404).end();
    return response.writeHead(put(ref, JSON.parse(body))).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const close = async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  };
  return { url: `http://127.0.0.1:${port}`, texts, events, close };
}

const connect = (url: string, key: string) =>
  FIRST_KIND.make().connect({ id: 'con_1', name: 'first', settings: { url }, credentials: { api_key: key } });

describeMessagingConformance('first', async () => {
  const { url, texts, events, close } = await startCarrier();
  return {
    messaging: connect(url, KEY).carrier.messaging,
    ledger: { ledgerId: 1, accountId: 'acct_1', mode: 'live' },
    from: OWN_NUMBER,
    to: TO,
    settle: async () => events.splice(0),
    countReceived: async (to, body) =>
      [...texts.values()].filter((text) => text.to === to && text.body === body).length,
    textBack: async (from, body) => {
      const carrierMessageId = newId('message');
      events.push({ type: 'message.received', carrierMessageId, from, to: OWN_NUMBER, body, mediaUrls: [] });
    },
    close,
  };
});

test('the check of a connection says whether the carrier takes its key', async () => {
  const { url, close } = await startCarrier();
  const stateWith = async (key: string) => (await connect(url, key).check()).map(({ state }) => state);
  assert.deepEqual(await stateWith(KEY), ['good']);
  assert.deepEqual(await stateWith('another key'), ['bad']);
  await close();
  assert.deepEqual(await stateWith(KEY), ['bad']);
});
