/** STOP, START and HELP confirmations count toward a campaign's throughput. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Json } from '../../../../test/support/events.ts';
import { sql } from '../../../../test/support/jobs.ts';
import { arrive, newPerson, outboxOf, read, sendText } from '../../../../test/support/messages.ts';
import {
  handOversOf,
  makePacedSender,
  mostInAMinute,
  setThroughput,
  usePacingHarness,
} from '../../../../test/support/pacing.ts';

const harness = await usePacingHarness();

async function makeSlowSender(perMinute: number, dailyCap = 100) {
  const sender = await makePacedSender(harness, 'sole_proprietor');
  await setThroughput(harness, sender.campaignId, { perMinute, dailyCap });
  return sender;
}

async function confirmationsTo(person: string): Promise<Json[]> {
  return sql(harness.context.db, `select id, status from messages where "to" = $1 and origin = 'confirmation'`, [
    person,
  ]);
}

async function stateOf(id: string): Promise<string> {
  const { status, error_code } = await read(harness, `/messages/${id}`);
  return error_code ?? status;
}

test("confirmations are sent before waiting texts, in the order of the texts they answer, within the minute's limit", async () => {
  const { number } = await makeSlowSender(2);
  const people = [newPerson(), newPerson(), newPerson()];
  const waiting: string[] = [];
  for (let n = 0; n < 40; n++) waiting.push((await sendText(harness, number.id, newPerson())).id);
  await harness.advance(1);
  for (const [index, person] of people.entries()) {
    await arrive(harness, person, number.phone_number, ['STOP', 'HELP', 'Unsubscribe'][index] as string);
  }
  await harness.advance(125);
  const seen = await handOversOf(harness, number.phone_number);
  assert.deepEqual(
    seen.map(({ to }) => people.indexOf(to)),
    [-1, -1, 0, 1, 2, -1],
  );
  assert.ok(mostInAMinute(seen.map(({ atMs }) => atMs)) <= 2);
  for (const person of people) assert.equal((await outboxOf(harness, person)).length, 1);
  await harness.advance(1_300);
  for (const id of waiting) assert.equal(await stateOf(id), 'delivered');
});

test('a used-up day delays no confirmation, and confirmations count against it', async () => {
  const { number } = await makeSlowSender(30, 2);
  for (let n = 0; n < 2; n++) await sendText(harness, number.id, newPerson());
  await harness.advance(2);
  const person = newPerson();
  await arrive(harness, person, number.phone_number, 'STOP');
  await harness.advance(2);
  assert.deepEqual(
    (await confirmationsTo(person)).map(({ status }) => status),
    ['delivered'],
  );
  const { number: other } = await makeSlowSender(30, 2);
  await arrive(harness, newPerson(), other.phone_number, 'STOP');
  const first = await sendText(harness, other.id, newPerson());
  await harness.advance(2);
  const second = await sendText(harness, other.id, newPerson());
  await harness.advance(2);
  assert.deepEqual([await stateOf(first.id), await stateOf(second.id)], ['delivered', 'daily_cap_exceeded']);
});

test('a text to the same person that is being retried does not delay the confirmation', async () => {
  const { number } = await makeSlowSender(30);
  const refused = '+15005550009';
  const { id } = await sendText(harness, number.id, refused);
  await harness.advance(0.2);
  await arrive(harness, refused, number.phone_number, 'HELP');
  await harness.advance(0.3);
  assert.equal(await stateOf(id), 'queued', 'it is retried for some seconds');
  const [confirmation] = await confirmationsTo(refused);
  const seen = (await handOversOf(harness, number.phone_number)).map((each) => each.id);
  assert.deepEqual(seen, [id, confirmation.id]);
});

test('texts to the person follow the confirmation; texts from before a STOP are not sent', async () => {
  const { number } = await makeSlowSender(1);
  const person = newPerson();
  await sendText(harness, number.id, newPerson());
  const before = await sendText(harness, number.id, person, 'Before');
  await harness.advance(1);
  await arrive(harness, person, number.phone_number, 'STOP');
  await harness.advance(63);
  await arrive(harness, person, number.phone_number, 'START');
  await sendText(harness, number.id, person, 'After');
  await harness.advance(240);
  const bodies = (await outboxOf(harness, person)).map(({ body }) => body).reverse();
  assert.equal(bodies.length, 3, bodies.join('\n'));
  assert.match(bodies[0], /unsubscribed/);
  assert.match(bodies[1], /subscribed again/);
  assert.equal(bodies[2], 'After');
  assert.equal(await stateOf(before.id), 'recipient_opted_out');
});
