/** The end of a text that the carrier neither confirms nor denies. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withPort } from '../../../../test/support/carrier-ports.ts';
import type { Json } from '../../../../test/support/events.ts';
import { sql } from '../../../../test/support/jobs.ts';
import { newPerson, read, sendText } from '../../../../test/support/messages.ts';
import { eventsOf, useLine } from '../../../../test/support/numbers.ts';

const { harness, number } = await useLine({ startWorkers: false });

const get = (id: string): Promise<Json> => read(harness, `/messages/${id}`);
const meteredOf = async (id: string) =>
  (await sql(harness.context.db, 'select 1 from usage_entries where reference = $1', [id])).length;
const typesOf = async (id: string) => (await eventsOf(harness, id)).map(({ type }) => type);
const jobsOf = (id: string) =>
  sql(harness.context.db, `select 1 from jobs where id = 'message.submit:' || $1::text`, [id]);
const receipt = (id: string, status: string) =>
  harness.call('POST', `/v1/test/messages/${id}/receipt`, { body: { status } });

type Answer = 'undecided' | 'absent' | 'accepted';
type Answering = (asked: number, id: string) => Answer | Promise<Answer>;

/** Sends a text whose outcome is lost; `answer` returns the carrier's answer to each request. */
async function lose(answer: Answering, work: (id: string) => Promise<void>) {
  const seen = { sends: 0, asks: 0, id: '' };
  await withPort(
    harness,
    'messaging',
    () => ({
      send: async () => {
        seen.sends += 1;
        return { outcome: 'unknown' };
      },
      findSend: async (_, ref) => {
        seen.asks += 1;
        return { found: await answer(seen.asks, ref) } as { found: 'undecided' };
      },
    }),
    async () => {
      const { id } = await sendText(harness, number.id, newPerson());
      seen.id = id;
      await work(id);
    },
  );
  return seen;
}

const FOUR_HOURS_S = 4 * 3_600;

test('a text that is never confirmed fails as expired within four hours, and is not charged', async () => {
  const { sends, asks, id } = await lose(
    () => 'undecided',
    async (lost) => {
      await harness.advance(3.9 * 3_600);
      assert.equal((await get(lost)).status, 'queued', 'a receipt may still come');
      await harness.advance(0.1 * 3_600);
    },
  );
  const message = await get(id);
  assert.deepEqual([message.status, message.error_code], ['failed', 'expired']);
  assert.deepEqual(await typesOf(id), ['message.failed']);
  assert.deepEqual([sends, asks], [1, 7]);
  assert.equal(await meteredOf(id), 0);
  assert.deepEqual(await jobsOf(id), []);
});

test('a receipt in the meantime ends the text, which is charged once', async () => {
  const { sends, id } = await lose(
    () => 'undecided',
    async (lost) => {
      await harness.advance(2 * 3_600);
      await receipt(lost, 'delivered');
      await harness.advance(FOUR_HOURS_S);
    },
  );
  assert.equal((await get(id)).status, 'delivered');
  assert.deepEqual(await typesOf(id), ['message.delivered']);
  assert.deepEqual([sends, await meteredOf(id)], [1, 1]);
  assert.deepEqual(await jobsOf(id), []);
});

test('a receipt that arrives during the last question wins, and the text is charged', async () => {
  const { id } = await lose(
    async (asked, ref): Promise<Answer> => {
      if (asked === 7) await receipt(ref, 'delivered');
      return 'undecided';
    },
    () => harness.advance(FOUR_HOURS_S),
  );
  assert.equal((await get(id)).status, 'delivered');
  assert.deepEqual(await typesOf(id), ['message.delivered']);
  assert.equal(await meteredOf(id), 1);
});

test('a text that the carrier does not have at the last question is not sent', async () => {
  const { sends, id } = await lose(
    (asked) => (asked < 7 ? 'undecided' : 'absent'),
    () => harness.advance(FOUR_HOURS_S),
  );
  const message = await get(id);
  assert.deepEqual([message.status, message.error_code], ['failed', 'send_failed']);
  assert.deepEqual([sends, await meteredOf(id)], [1, 0]);
});

test('a text that the carrier confirms late is charged, and waits for its receipt', async () => {
  const { id } = await lose(
    (asked) => (asked < 7 ? 'undecided' : 'accepted'),
    () => harness.advance(FOUR_HOURS_S),
  );
  assert.equal((await get(id)).status, 'queued');
  assert.equal(await meteredOf(id), 1);
  await receipt(id, 'delivered');
  assert.equal((await get(id)).status, 'delivered');
});
