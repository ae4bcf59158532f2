/** The attempts to hand a text to its carrier, as a reader sees them. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withPort } from '../../../../test/support/carrier-ports.ts';
import type { Json } from '../../../../test/support/events.ts';
import { failCommits } from '../../../../test/support/failing-commits.ts';
import { newPerson, read, sendText } from '../../../../test/support/messages.ts';
import { useLine } from '../../../../test/support/numbers.ts';

const { harness, number } = await useLine({ startWorkers: false, workerSettings: { retryMinMs: 10 } });
const DETAIL = { carrier_code: '40300', title: 'Blocked as spam' };

type Answer = Json | 'sent';

/** Sends a text whose attempts are answered in this order. For `sent`, the simulated carrier gets the text. */
async function sendWith(answers: readonly Answer[], to = newPerson()): Promise<string> {
  let id = '';
  const left = [...answers];
  await withPort(
    harness,
    'messaging',
    (real) => ({
      ...real,
      send: async (ledger, message) => {
        const answer = left.shift() ?? assert.fail('an attempt too many');
        return answer === 'sent' ? await real.send(ledger, message) : answer;
      },
    }),
    async () => {
      ({ id } = await sendText(harness, number.id, to));
      await harness.advance(120);
    },
  );
  assert.deepEqual(left, []);
  return id;
}

const attemptsOf = async (id: string): Promise<Json[]> => (await read(harness, `/messages/${id}/attempts`)).data;
const summaries = (attempts: readonly Json[]) => attempts.map(({ at: _, ...rest }) => rest);

test('every attempt is shown in its order, with its time, its reason and the carrier’s own error', async () => {
  const id = await sendWith([
    { outcome: 'unavailable', cause: 'unreachable' },
    { outcome: 'unknown' },
    { outcome: 'unavailable', errorDetail: DETAIL },
    'sent',
  ]);
  const attempts = await attemptsOf(id);
  assert.deepEqual(summaries(attempts), [
    { outcome: 'unavailable', reason: 'unreachable', error_detail: null },
    { outcome: 'unknown', reason: null, error_detail: null },
    { outcome: 'unavailable', reason: 'not_now', error_detail: DETAIL },
    { outcome: 'accepted', reason: null, error_detail: null },
  ]);
  const times = attempts.map(({ at }) => at as string);
  assert.deepEqual(times.toSorted(), times);
  assert.ok(Date.parse(times[0] as string) >= Date.parse((await read(harness, `/messages/${id}`)).created_at));
});

test('a rejected text shows the attempt, and one that was accepted at once shows none', async () => {
  const rejected = await sendWith([{ outcome: 'rejected', reason: 'spam_blocked', errorDetail: DETAIL }]);
  assert.deepEqual(summaries(await attemptsOf(rejected)), [
    { outcome: 'rejected', reason: 'spam_blocked', error_detail: DETAIL },
  ]);
  const accepted = await sendWith(['sent']);
  assert.equal((await read(harness, `/messages/${accepted}`)).status, 'delivered');
  assert.deepEqual(await attemptsOf(accepted), []);
});

test('a text that runs out of attempts shows all of them', async () => {
  const away = { outcome: 'unavailable', cause: 'unreachable' };
  const id = await sendWith([away, away, away, away]);
  assert.equal((await read(harness, `/messages/${id}`)).error_code, 'send_failed');
  assert.deepEqual(
    summaries(await attemptsOf(id)),
    Array(4).fill({ outcome: 'unavailable', reason: 'unreachable', error_detail: null }),
  );
});

test('an attempt whose commit is lost is stored once, when the run is repeated', async () => {
  const kill = failCommits(harness.context.db, 'messages_add_attempts', 1);
  const away = { outcome: 'unavailable', cause: 'unreachable' };
  const id = await sendWith([away, away, 'sent']);
  assert.equal(kill.failed, 1);
  assert.deepEqual(
    (await attemptsOf(id)).map(({ outcome }) => outcome),
    ['unavailable', 'accepted'],
  );
});
