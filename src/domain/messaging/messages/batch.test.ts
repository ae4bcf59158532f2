import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Harness } from '../../../../test/support/harness.ts';
import { sql } from '../../../../test/support/jobs.ts';
import { newPerson, read, refusal, sendText, trySend } from '../../../../test/support/messages.ts';
import { useLine } from '../../../../test/support/numbers.ts';
import { ApiError } from '../../../lib/errors/errors.ts';

const { harness, number } = await useLine({ startWorkers: false });

type Query = Harness['context']['db']['query'];

/** Runs `work` with changed database answers to the send statement, and returns the sizes of its batches. */
async function withSends<T>(answer: (run: () => Promise<unknown[]>) => Promise<unknown[]>, work: () => Promise<T>) {
  const db = harness.context.db as { query: Query };
  const { query } = db;
  const sizes: number[] = [];
  db.query = ((statement, values) => {
    const run = () => query(statement, values);
    if (statement.name !== 'messages_send') return run();
    sizes.push((values as { sends: unknown[] }).sends.length);
    return answer(run);
  }) as Query;
  try {
    return { result: await work(), sizes };
  } finally {
    db.query = query;
  }
}

/** Resolves when the server has read this many more requests: their sends wait for a batch. */
async function requestsRead(count: number): Promise<void> {
  const { server } = harness.app;
  const { promise, resolve } = Promise.withResolvers<void>();
  let read = 0;
  const onRequest = () => {
    if (++read === count) resolve();
  };
  server.on('request', onRequest);
  await promise;
  server.off('request', onRequest);
  // A body follows its headers, and the checks before a send take turns of the event loop.
  for (let turn = 0; turn < 200; turn++) await nextTurn();
}

const sendTo = (to: string, once?: string) =>
  trySend(harness, { from: number.id, to, body: 'Hi' }, once === undefined ? {} : { once });

async function messagesTo(people: readonly string[]): Promise<number[]> {
  const rows = await sql<{ to: string }>(harness.context.db, 'select "to" from messages where "to" = any($1)', [
    people,
  ]);
  return people.map((to) => rows.filter((row) => row.to === to).length);
}

test('a row that fails the statement fails alone; the other rows of its batch are sent', async () => {
  const people = Array.from({ length: 20 }, newPerson);
  const allRead = requestsRead(41);
  const { result, sizes } = await withSends(
    (run) => allRead.then(run),
    () =>
      Promise.all([
        ...people.map((to) => sendTo(to)),
        trySend(harness, { from: 'num_\0', to: newPerson(), body: 'poison' }),
        ...people.map((to) => sendTo(to)),
      ]),
  );
  assert.ok(Math.max(...sizes) > 1, 'some sends shared a batch');
  assert.deepEqual(refusal(result[20] as (typeof result)[0]).slice(0, 2), [400, 'invalid_body']);
  assert.equal(result.filter(({ status }) => status === 201).length, 40);
  assert.deepEqual(new Set(await messagesTo(people)), new Set([2]));
});

test('if the connection breaks after the COMMIT, each message is stored once and answered once', async () => {
  for (const count of [1, 24]) {
    const people = Array.from({ length: count }, newPerson);
    let lost = 0;
    const { result } = await withSends(
      async (run) => {
        const rows = await run();
        if (lost++ === 0) throw new ApiError('database_unavailable', { retryAfterS: 2 });
        return rows;
      },
      () => Promise.all(people.map((to, index) => sendTo(to, index % 2 === 1 ? `lost-${count}-${index}` : undefined))),
    );
    assert.deepEqual(new Set(result.map(({ status }) => status)), new Set([201]));
    for (const [index, { body }] of result.entries()) {
      assert.deepEqual([body.to, body.status], [people[index], 'queued']);
      assert.deepEqual(await read(harness, `/messages/${body.id}`), body);
    }
    assert.deepEqual(new Set(await messagesTo(people)), new Set([1]));
    const again = await sendTo(people.at(-1) as string, count > 1 ? `lost-${count}-${count - 1}` : 'new');
    if (count > 1) assert.equal(again.body.id, result.at(-1)?.body.id);
  }
});

test('a STOP between the lost COMMIT and the repeat does not turn an accepted send into a refusal', async () => {
  const to = newPerson();
  let lost = 0;
  const { result } = await withSends(
    async (run) => {
      const rows = await run();
      if (lost++ > 0) return rows;
      await sql(
        harness.context.db,
        `insert into opt_outs select ledger_id, tenant_id, $1, 'stop_keyword', now() from messages where "to" = $1`,
        [to],
      );
      throw new ApiError('database_unavailable', { retryAfterS: 2 });
    },
    () => sendTo(to),
  );
  assert.equal(result.status, 201);
  assert.deepEqual(await messagesTo([to]), [1]);
});

test('an unavailable database fails a batch once, not row by row', async () => {
  const { result, sizes } = await withSends(
    async () => {
      throw new ApiError('database_unavailable', { retryAfterS: 2 });
    },
    () => Promise.all(Array.from({ length: 30 }, () => sendTo(newPerson()))),
  );
  assert.deepEqual(new Set(result.map(({ status }) => status)), new Set([503]));
  assert.ok(result.every(({ headers }) => headers.get('retry-after') === '2'));
  assert.ok(sizes.length <= 30, `${sizes}`);
});

test('two ledgers share a batch without seeing each other', async () => {
  const stranger = (await harness.secondAccount()).test_key;
  const tenant = await harness.call('POST', '/v1/tenants', { key: stranger, body: { name: 'Stranger' } });
  const bought = await harness.call('POST', '/v1/phone_numbers', {
    key: stranger,
    body: { tenant_id: tenant.body.id, phone_number: number.phone_number },
  });
  assert.equal(bought.status, 201, 'test ledgers may have the same number');
  const to = newPerson();
  const from = number.phone_number;
  const allRead = requestsRead(40);
  const { result, sizes } = await withSends(
    (run) => allRead.then(run),
    () =>
      Promise.all(
        Array.from({ length: 40 }, (_, index) =>
          trySend(harness, { from, to, body: `${index}` }, index % 2 === 0 ? {} : { key: stranger }),
        ),
      ),
  );
  assert.ok(sizes.some((size) => size > 1));
  const threads = [0, 1].map(
    (turn) => new Set(result.filter((_, i) => i % 2 === turn).map((r) => r.body.conversation_id)),
  );
  assert.deepEqual(
    threads.map((each) => each.size),
    [1, 1],
  );
  assert.notDeepEqual(threads[0], threads[1]);
  const mine = await read(harness, `/messages?conversation_id=${[...(threads[0] ?? [])][0]}&limit=100`);
  assert.equal(mine.data.length, 20);
  assert.ok(mine.data.every((message: { body: string }) => Number(message.body) % 2 === 0));
  for (const index of [0, 1]) {
    const key = index === 0 ? stranger : harness.account.test_key;
    assert.equal((await harness.call('GET', `/v1/messages/${result[index]?.body.id}`, { key })).status, 404);
  }
});

test('a conversation shows the text that was accepted last, also within one batch', async () => {
  const to = newPerson();
  const replies = await Promise.all(
    Array.from({ length: 50 }, (_, n) => sendText(harness, number.id, to, `text ${n}`)),
  );
  const latest = replies.reduce((a, b) =>
    a.created_at > b.created_at || (a.created_at === b.created_at && a.id > b.id) ? a : b,
  );
  const thread = await read(harness, `/conversations/${latest.conversation_id}`);
  const [row] = await sql<{ body: string }>(
    harness.context.db,
    'select body from messages where conversation_id = $1 order by created_at desc, id desc limit 1',
    [latest.conversation_id],
  );
  assert.equal(thread.last_message_preview, row?.body);
  assert.equal(thread.last_activity_at, latest.created_at);
  const page = await read(harness, `/conversations/${latest.conversation_id}/timeline?limit=100`);
  const times: string[] = page.data.map((each: { created_at: string }) => each.created_at);
  assert.deepEqual(times, [...times].sort().reverse());
  assert.equal(times.length, 50);
});
