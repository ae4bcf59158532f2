/** An account moves to another database, with all its waiting work, while its client keeps sending. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { WebSocket } from 'ws';
import { makeLine, startCellInstallation } from '../support/cell-installation.ts';
import { sql, until } from '../support/jobs.ts';
import { startReceiver } from '../support/receiver.ts';
import { sleep } from '../support/stepping-time.ts';
import { webhookHistory } from '../support/webhook-history.ts';

const installation = await startCellInstallation();
await installation.divide();
const { accounts, call, dialplane, productOf } = installation;
const receivers = await Promise.all([startReceiver(), startReceiver()]);
after(async () => {
  await Promise.all(receivers.map((receiver) => receiver.close()));
  await installation.close();
});

/** An opt-out has several events. */
const TYPES = ['message.received', 'message.delivered', 'message.failed', 'opt_out.created', 'opt_out.removed'];

const { test_key: key, id: accountId } = accounts.first;
const [prompt, late] = receivers as [(typeof receivers)[0], (typeof receivers)[0]];

const post = async (path: string, body: object) => {
  const reply = await call('POST', path, { key, body });
  assert.ok(reply.status < 300, `${path} ${JSON.stringify(reply.body)}`);
  return reply.body;
};
const advance = (seconds: number) => post('/v1/test/clock', { advance_seconds: seconds });

/** Reads events in the order of writing, from a cursor or the id of an event to the end. */
async function readEvents(after?: string): Promise<string[]> {
  const ids: string[] = [];
  for (let cursor = after; ; ) {
    const query = cursor === undefined ? '' : `&after=${cursor}`;
    const { status, body } = await call('GET', `/v1/events?order=asc&limit=100${query}`, { key });
    assert.equal(status, 200, JSON.stringify(body));
    ids.push(...body.data.map(({ id }: { id: string }) => id));
    if (!body.has_more) return ids;
    cursor = body.next_cursor;
  }
}

/** The person of a text. No number is one of the people who opt out, however many texts are sent. */
const personOf = (index: number) => `+1602${5_560_000 + index}`;

/** Sends texts one after the other, and each until it is accepted, as a client with retries does. */
function startClient(from: string) {
  const sent = new Map<string, string>();
  let refused = 0;
  let isStopping = false;
  const send = async (index: number) => {
    const request = { from, to: personOf(index), body: `Text ${index}` };
    for (;;) {
      const headers = { 'idempotency-key': `text-${index}` };
      const reply = await call('POST', '/v1/messages', { key, body: request, headers });
      if (reply.status === 201) return void sent.set(`text-${index}`, reply.body.id);
      assert.deepEqual([reply.status, reply.body.error.code], [503, 'database_unavailable']);
      assert.match(reply.headers.get('retry-after') ?? '', /^\d+$/);
      refused += 1;
      await sleep(100);
    }
  };
  const running = (async () => {
    for (let index = 0; !isStopping; index++) await send(index);
  })();
  return {
    sent,
    stop: async () => {
      isStopping = true;
      await running;
      return { refused };
    },
  };
}

test('while its client keeps sending, an account moves with all that waits: nothing is lost, done twice or reordered', async () => {
  const { number, tenantId } = await makeLine(call, key);
  await post('/v1/webhook_endpoints', { url: prompt.url, enabled_events: TYPES });
  late.answer({ status: 503 });
  await post('/v1/webhook_endpoints', { url: late.url, enabled_events: TYPES });
  await advance(3_600);
  const scheduled = await post('/v1/messages', {
    ...{ from: number.id, to: '+16025552001', body: 'Later' },
    send_at: new Date(
      Date.parse((await post('/v1/test/clock', { advance_seconds: 1 })).now) + 86_400_000,
    ).toISOString(),
  });
  const say = (body: string) =>
    post('/v1/test/inbound_messages', { from: '+16025552002', to: number.phone_number, body });
  for (const word of ['STOP', 'START', 'STOP']) await say(word);
  const { token } = await post('/v1/realtime/tokens', {});
  const live: string[] = [];
  const follow = () =>
    new Promise<number>((resolve) => {
      const socket = new WebSocket(`${installation.process.url.replace('http', 'ws')}/v1/realtime?token=${token}`);
      socket.on('message', (text) => live.push(JSON.parse(String(text)).id));
      socket.on('close', resolve).on('error', () => undefined);
    });
  const closed = follow();
  const client = startClient(number.id);
  await until('texts are sent', () => client.sent.size >= 5);
  const before = await readEvents();
  const cursor = (await call('GET', '/v1/events?order=asc&limit=5', { key })).body.next_cursor;

  const moved = await dialplane('cells', 'move', accountId, '--to', 'west', '--json');
  assert.equal(moved.code, 0, moved.err);
  assert.deepEqual(
    { ...JSON.parse(moved.out), paused_ms: 0 },
    { account: accountId, cell: 'west', moved: true, paused_ms: 0 },
  );
  const sentBefore = client.sent.size;
  await until('texts are sent after the move', () => client.sent.size > sentBefore + 3);
  const { refused } = await client.stop();
  assert.ok(refused > 0, 'no request met the pause');

  // The subscriber connects again with its token.
  assert.equal(await closed, 1013);
  void follow();
  late.answer({});
  await until('all is delivered', async () => {
    await advance(600);
    const { body } = await call('GET', '/v1/messages?status=delivered&limit=1', { key });
    const [row] = await sql<{ open: number }>(
      productOf('west').context.db,
      `select count(*)::int as open from messages where direction = 'outbound' and status not in ('delivered', 'scheduled')`,
    );
    return body.data.length === 1 && row?.open === 0;
  });

  // Each accepted text has left once. A repeat with the same key returns the same text.
  const left = await sql<{ to: string; count: number }>(
    productOf('west').context.db,
    'select "to", count(*)::int as count from simulated_messages where ledger_id < 1000 group by 1',
  );
  const outbox = new Map(left.map(({ to, count }) => [to, count]));
  for (const name of client.sent.keys()) {
    const index = Number(name.slice('text-'.length));
    assert.equal(outbox.get(personOf(index)), 1, name);
    const body = { from: number.id, to: personOf(index), body: `Text ${index}` };
    const again = await call('POST', '/v1/messages', { key, body, headers: { 'idempotency-key': name } });
    assert.deepEqual([again.status, again.body.id], [201, client.sent.get(name)]);
  }

  // The scheduled text leaves at its time, and the opt-out holds.
  assert.equal((await call('GET', `/v1/messages/${scheduled.id}`, { key })).body.status, 'scheduled');
  await advance(90_000);
  await until('it is delivered', async () => {
    await advance(60);
    return (await call('GET', `/v1/messages/${scheduled.id}`, { key })).body.status === 'delivered';
  });
  const optedOut = await call('POST', '/v1/messages', {
    key,
    body: { from: number.id, to: '+16025552002', body: 'No' },
  });
  assert.equal(optedOut.body.error.code, 'recipient_opted_out');

  // Webhooks kept their order. Both orders of events continue where they stopped, by cursor and by id.
  const events = await readEvents();
  assert.deepEqual(events.slice(0, before.length), before);
  assert.equal(new Set(events).size, events.length);
  assert.deepEqual(await readEvents(cursor), events.slice(5));
  assert.deepEqual(await readEvents(before.at(-1) as string), events.slice(before.length));
  for (const word of ['START', 'STOP']) await say(word);
  await until('all webhooks have arrived', async () => {
    await advance(3_600);
    return prompt.received.length >= (await readEvents()).length;
  });
  const history = webhookHistory(prompt.received);
  assert.ok(
    [...history.values()].some((ofResource) => ofResource.length === 5),
    'the opt-out has five events',
  );
  // The endpoint that was down has each event of the opt-out in its order, repeats left out.
  const numbers = late.received
    .filter(({ event }) => event.type.startsWith('opt_out'))
    .map(({ event }) => event.sequence);
  assert.deepEqual([...new Set(numbers)], [1, 2, 3, 4, 5]);
  assert.ok(
    live.some((id) => !before.includes(id)),
    'the subscriber got no event after the move',
  );
  assert.equal((await call('GET', `/v1/tenants/${tenantId}`, { key })).status, 200);
});
