/** Reminders for the next morning, as a caller of the API schedules them. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { useHarness } from '../support/harness.ts';
import { outboxOf, read } from '../support/messages.ts';
import { makeLine } from '../support/numbers.ts';

const harness = await useHarness();
const { tenantId, number } = await makeLine(harness);
/** A number of New York. The sending number and its tenant are in Arizona. */
const RECIPIENT = '+12125550143';
const ZONE = 'America/New_York';

async function now(): Promise<Temporal.ZonedDateTime> {
  const clock = await read(harness, '/test/clock');
  return Temporal.Instant.from(clock.now).toZonedDateTimeISO(ZONE);
}

/** Moves the clock once. */
async function moveTo(moment: Temporal.ZonedDateTime): Promise<void> {
  await harness.advance((moment.epochMilliseconds - (await now()).epochMilliseconds) / 1_000);
}

async function send(fields: object) {
  const body = { from: number.id, to: RECIPIENT, body: 'See you at 10:30.', ...fields };
  const reply = await harness.call('POST', '/v1/messages', { body });
  assert.equal(reply.status, 201, JSON.stringify(reply.body));
  return reply.body;
}

const atNine = (day: Temporal.PlainDate) => day.toZonedDateTime({ timeZone: ZONE, plainTime: '09:00' });

test("a reminder for tomorrow 9:00 in the recipient's zone is delivered after one move of the clock", async () => {
  const moment = atNine((await now()).toPlainDate().add({ days: 1 }));
  const reminder = await send({ send_at: moment.toString({ timeZoneName: 'never' }) });
  assert.deepEqual([reminder.status, Date.parse(reminder.send_at)], ['scheduled', moment.epochMilliseconds]);
  assert.deepEqual(await outboxOf(harness, RECIPIENT), []);

  await moveTo(moment.add({ hours: 1 }));

  assert.equal((await read(harness, `/messages/${reminder.id}`)).status, 'delivered');
  const [received] = await outboxOf(harness, RECIPIENT);
  assert.equal(received?.['message_id'], reminder.id);
  const lateMs = Date.parse(received?.['at']) - moment.epochMilliseconds;
  assert.ok(lateMs >= 0 && lateMs < 30 * 60_000, `${lateMs} ms after its time`);
});

test("a text of the night that respects quiet hours is delivered at 9:00 in the recipient's zone", async () => {
  const quiet_hours = { start: '21:00', end: '09:00', zone: 'recipient' };
  const changed = await harness.call('PATCH', `/v1/tenants/${tenantId}`, { body: { quiet_hours } });
  assert.deepEqual(changed.body.quiet_hours, quiet_hours);
  const evening = (await now()).toPlainDate().add({ days: 1 }).toZonedDateTime({ timeZone: ZONE, plainTime: '22:30' });
  await moveTo(evening);
  const morning = atNine(evening.toPlainDate().add({ days: 1 }));
  const reminder = await send({ respect_quiet_hours: true });
  assert.deepEqual([reminder.status, Date.parse(reminder.send_at)], ['scheduled', morning.epochMilliseconds]);

  await moveTo(morning.add({ seconds: 10 }));

  assert.equal((await read(harness, `/messages/${reminder.id}`)).status, 'delivered');
  const [received] = await outboxOf(harness, RECIPIENT);
  assert.equal(received?.['message_id'], reminder.id, 'it is the latest text of the handset');
});
