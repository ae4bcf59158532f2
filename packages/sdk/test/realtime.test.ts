import assert from 'node:assert/strict';
import { test } from 'node:test';
import { WebSocket as WsWebSocket } from 'ws';
import { closeAfterTests } from '../../../test/support/close-after-tests.ts';
import { useHarness } from '../../../test/support/harness.ts';
import { until } from '../../../test/support/jobs.ts';
import { Dialplane, type Event, type EventOf, Realtime, type RealtimeOptions, realtimeFromApi } from '../src/index.ts';
import { clientOf, makeSender } from './support/sender.ts';
import { useSocketProxy } from './support/socket-proxy.ts';

const harness = await useHarness();
const client = clientOf(harness);
const proxy = await useSocketProxy(new URL(harness.url));
const { number, tenant } = await makeSender(client);
const address = `ws://${proxy.host}/v1/realtime`;

/** A client through the proxy, with all that it has emitted. */
function listen(options: Partial<RealtimeOptions> = {}) {
  const source = realtimeFromApi(client);
  const token = async () => ({ ...(await source.token()), url: address });
  const realtime = new Realtime({ ...source, token, ...options });
  const events: Event[] = [];
  const states: string[] = [];
  realtime.on('event', (event) => events.push(event));
  for (const type of ['open', 'disconnected', 'gap', 'closed'] as const) realtime.on(type, () => states.push(type));
  closeAfterTests(() => realtime.close());
  realtime.connect();
  const bodies = () => events.flatMap((event) => (event.type === 'message.received' ? [event.data.body] : []));
  const reached = (state: string, times = 1) =>
    until(`${times} ${state}`, () => states.filter((entered) => entered === state).length >= times, 15_000);
  return { realtime, events, states, bodies, reached };
}

const arrive = (body: string) =>
  client.test.simulateInboundMessage({ from: '+16025550143', to: number.phone_number, body });

/** A text arrives, and the history shows its event. The history hides it while an older transaction is open. */
async function arriveInHistory(body: string) {
  const { id } = await arrive(body);
  await until(`the event of ${body} in the history`, async () => {
    const { data } = await client.events.list({ order: 'asc', resource_id: id });
    return data.some(({ type }) => type === 'message.received');
  });
}

test('events are emitted as they occur, by their type', async () => {
  const { realtime, reached } = listen();
  const received: EventOf<'message.received'>[] = [];
  const remove = realtime.on('message.received', (event) => received.push(event));
  await reached('open');
  const message = await arrive('Is Biscuit ready?');
  await until('the event', () => received.length > 0);
  assert.equal(received[0]?.data.id, message.id);
  remove();
  realtime.close();
  await reached('closed');
});

test('what happened while the connection was lost is emitted once, in order, before what follows', async () => {
  const { realtime, bodies, states, reached } = listen();
  await reached('open');
  await arrive('1');
  await until('the first', () => bodies().length === 1);
  proxy.refuse(true);
  proxy.cut();
  await reached('disconnected');
  for (const body of ['2', '3', '4']) await arriveInHistory(body);
  proxy.refuse(false);
  await reached('open', 2);
  await arrive('5');
  await until('the last', () => bodies().includes('5'));
  assert.deepEqual(bodies(), ['1', '2', '3', '4', '5']);
  assert.ok(!states.includes('gap'));
  realtime.close();
});

test('events that occur while the missed ones are read come after them', async () => {
  const source = realtimeFromApi(client);
  const [asked, answer] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const history = {
    newest: async () => undefined,
    async *after(id: string | undefined) {
      asked.resolve();
      await answer.promise;
      yield* source.history?.after(id) ?? [];
    },
  };
  const sockets: WebSocket[] = [];
  class Tapped extends WebSocket {
    constructor(url: string) {
      super(url);
      sockets.push(this);
    }
  }
  const [newest] = (await client.events.list({ limit: 1 })).data;
  await arriveInHistory('missed');
  const { realtime, bodies, reached } = listen({ history, after: newest?.id, WebSocket: Tapped });
  await asked.promise;
  // The text that was missed may come over the socket as well.
  const live = new Promise<void>((resolve) => {
    sockets[0]?.addEventListener('message', ({ data }) => String(data).includes('"live"') && resolve());
  });
  await arrive('live');
  await live;
  answer.resolve();
  await reached('open');
  assert.deepEqual(bodies(), ['missed', 'live']);
  realtime.close();
});

test('an event that the first reading of the history lacks is emitted within seconds, on the same connection', async () => {
  const source = realtimeFromApi(client);
  let readings = 0;
  const history = {
    newest: async () => undefined,
    async *after(id: string | undefined) {
      readings += 1;
      if (readings > 1) yield* source.history?.after(id) ?? [];
    },
  };
  const [newest] = (await client.events.list({ limit: 1 })).data;
  await arriveInHistory('being written');
  const { bodies, realtime, states, reached } = listen({ history, after: newest?.id });
  await reached('open');
  assert.deepEqual(bodies(), []);
  await until('the event', () => bodies().length > 0, 30_000);
  assert.deepEqual([bodies(), states], [['being written'], ['open']]);
  realtime.close();
});

test('cuts at any moment lose nothing and repeat nothing', async () => {
  const { realtime, bodies, reached } = listen({ checkSeconds: 0.2 });
  await reached('open');
  const wanted = Array.from({ length: 60 }, (_, index) => `cut ${index}`);
  for (const [index, body] of wanted.entries()) {
    await arrive(body);
    if (index % 20 === 10) proxy.cut();
  }
  await until('all', () => bodies().length >= wanted.length, 20_000);
  assert.deepEqual([...bodies()].sort(), [...wanted].sort());
  realtime.close();
});

test('a line that is dead at the other end is noticed, and nothing is lost', async () => {
  const { realtime, bodies, reached } = listen({ checkSeconds: 0.3 });
  await reached('open');
  proxy.silence();
  await arrive('into the silence');
  await until('the event', () => bodies().length === 1);
  await reached('open', 2);
  await arrive('after it');
  await until('the next event', () => bodies().length === 2);
  assert.deepEqual(bodies(), ['into the silence', 'after it']);
  realtime.close();
});

test('a client continues where another one stopped', async () => {
  const first = listen({ checkSeconds: 0.2 });
  await first.reached('open');
  const message = await arrive('seen by the first');
  await until('the position', async () => {
    const event = first.events.find(({ resource_id }) => resource_id === message.id);
    return event !== undefined && first.realtime.position === event.id;
  });
  first.realtime.close();
  await arriveInHistory('between the two');
  const second = listen({ after: first.realtime.position });
  await second.reached('open');
  await arrive('seen by the second');
  await until('both', () => second.bodies().length >= 2, 30_000);
  assert.deepEqual(second.bodies(), ['between the two', 'seen by the second']);
  second.realtime.close();
});

test('an id that is no position is a gap, and events go on from now', async () => {
  const { realtime, bodies, states, reached } = listen({ after: 'evt_unknown' });
  await reached('open');
  assert.deepEqual(states, ['gap', 'open']);
  await arrive('from now');
  await until('the event', () => bodies().length === 1);
  realtime.close();
});

test('without a history, each later connection is a gap', async () => {
  const { realtime, states, reached } = listen({ history: undefined });
  await reached('open');
  proxy.cut();
  await reached('open', 2);
  assert.deepEqual(states, ['open', 'disconnected', 'gap', 'open']);
  realtime.close();
});

test('each connection has a new token; the second one that is refused ends the client', async () => {
  let asked = 0;
  const bad = { token: 'svcrt_wrong', url: address };
  const { realtime, reached } = listen({
    token: async () => {
      asked += 1;
      return bad;
    },
  });
  let error: unknown;
  realtime.on('closed', (end) => {
    error = end.error;
  });
  await reached('closed');
  assert.equal((error as { code: string }).code, 'login_refused');
  assert.equal(asked, 2);

  const tokens = [
    Promise.resolve(bad),
    realtimeFromApi(client)
      .token()
      .then((good) => ({ ...good, url: address })),
  ];
  const other = listen({ token: () => tokens.shift() as Promise<typeof bad> });
  await other.reached('disconnected');
  await other.reached('open');
  other.realtime.close();
});

test('a key that was revoked ends the client, a server that is away does not', async () => {
  const { key, id } = await client.apiKeys.create({ name: 'to be revoked' });
  const source = realtimeFromApi(new Dialplane({ apiKey: key, baseUrl: harness.url }));
  const { realtime, reached } = listen({ ...source, token: async () => ({ ...(await source.token()), url: address }) });
  let error: unknown;
  realtime.on('closed', (end) => {
    error = end.error;
  });
  proxy.refuse(true);
  await reached('disconnected', 2);
  proxy.refuse(false);
  await reached('open');
  await client.apiKeys.revoke(id);
  proxy.cut();
  await reached('closed');
  assert.equal((error as { code: string }).code, 'invalid_api_key');
});

test('an unknown tenant ends the client', async () => {
  const { realtime, states } = listen(realtimeFromApi(client, { tenant_id: 'tnt_unknown' }));
  const { error } = await new Promise<{ error: unknown }>((resolve) => realtime.on('closed', resolve));
  assert.equal((error as { code: string }).code, 'tenant_not_found');
  assert.deepEqual(states, ['closed']);
});

test('a token of one tenant carries and resumes the events of that tenant', async () => {
  const other = await makeSender(client);
  const source = realtimeFromApi(client, { tenant_id: tenant.id });
  const { realtime, bodies, reached } = listen({
    ...source,
    token: async () => ({ ...(await source.token()), url: address }),
  });
  await reached('open');
  proxy.cut();
  await client.test.simulateInboundMessage({ from: '+16025550143', to: other.number.phone_number, body: 'not this' });
  await arrive('this');
  await reached('open', 2);
  await until('the event', () => bodies().length > 0);
  assert.deepEqual(bodies(), ['this']);
  realtime.close();
});

test('the WebSocket of the package ws serves as well', async () => {
  const { realtime, bodies, reached } = listen({ WebSocket: WsWebSocket });
  await reached('open');
  await arrive('by ws');
  await until('the event', () => bodies().length === 1);
  proxy.cut();
  await reached('open', 2);
  realtime.close();
  await reached('closed');
});

test('a client that is closed connects no more', async () => {
  const { realtime, reached } = listen();
  realtime.close();
  await reached('closed');
  const before = proxy.count();
  realtime.connect();
  await arrive('unheard');
  assert.equal(proxy.count(), before);
});
