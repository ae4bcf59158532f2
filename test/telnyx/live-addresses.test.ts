/** Emergency addresses of a live key over the emulated Telnyx. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runNow, sql, until } from '../support/jobs.ts';
import { refusal } from '../support/messages.ts';
import { useTelnyxLine } from './telnyx-line.ts';

const { telnyx, harness, key, tenantId, number, get, make } = await useTelnyxLine();
const { control } = telnyx;
const { db } = harness.context;
const ADDRESS = { street: '100 N Central Ave', city: 'Phoenix', state: 'AZ', postal_code: '85004' };

/** The orders that Telnyx received for the number: true for an address, false for none. */
async function orders(): Promise<boolean[]> {
  const sent = await control.requests({ operation: 'POST /phone_numbers/{id}/actions/enable_emergency' });
  return sent.map(({ body }) => (body as { emergency_enabled: boolean }).emergency_enabled);
}

/**
 * Gives the number an address or none, and waits until Telnyx is asked. A job that met the change of another one runs
 * again later, so the next change waits for its end.
 */
async function assign(id: string | null): Promise<void> {
  const before = (await orders()).length;
  const reply = await harness.call('PATCH', `/v1/phone_numbers/${number.id}`, { key, body: { e911_address_id: id } });
  assert.deepEqual([reply.status, reply.body.e911_address_id], [200, id]);
  await until('Telnyx is asked', async () => (await orders()).length > before);
  await until('the number is registered', async () => (await registrations()).length === 0);
}

const newAddress = async (): Promise<string> => (await make('/e911_addresses', { tenant_id: tenantId, ...ADDRESS })).id;

/** The jobs that register the number. */
const registrations = () =>
  sql(db, "select id from jobs where kind = 'number.e911_address' and payload ->> 'check' is distinct from 'true'");

/** The jobs that ask Telnyx for the state of the number. */
const questions = () =>
  sql<{ id: string }>(db, "select id from jobs where kind = 'number.e911_address' and payload ->> 'check' = 'true'");

test('an address that help cannot be sent to is refused, with one that resembles it', async () => {
  const body = { tenant_id: tenantId, ...ADDRESS, state: 'NV' };
  const reply = await harness.call('POST', '/v1/e911_addresses', { key, body });
  assert.deepEqual(refusal(reply).slice(0, 2), [422, 'e911_address_invalid']);
  assert.equal(reply.body.error.suggestions[0].state, 'AZ');
});

test('a number is registered at an address, under the name of the connection, and taken off it', async () => {
  const id = await newAddress();
  const [stored] = await control.requests({ operation: 'POST /addresses' });
  const { business_name, customer_reference } = (stored?.body ?? {}) as Record<string, string>;
  assert.deepEqual([business_name, customer_reference], ['Desert Paws Clinic', id]);
  await assign(id);
  await assign(null);
  assert.deepEqual(await orders(), [true, false]);
});

for (const [status, kept] of [
  ['active', true],
  ['provisioning-failed', false],
] as const) {
  test(`a number that Telnyx is still registering is asked about until it is ${status}`, async () => {
    const id = await newAddress();
    await control.pendEmergency({ pend: true });
    await assign(id);
    const before = (await orders()).length;
    await until('it is to be asked about', async () => (await questions()).length === 1);
    await control.pendEmergency({ pend: false });
    await control.endEmergency({ phoneNumber: number.phone_number, status });
    const [question] = await questions();
    await runNow(db, question?.id ?? assert.fail());
    await until('all is said', async () => (await questions()).length === 0);
    if (!kept) await until('it is taken off', async () => (await orders()).length > before);
    assert.equal((await get(`/phone_numbers/${number.id}`)).e911_address_id, kept ? id : null);
    assert.deepEqual((await orders()).slice(before), kept ? [] : [false], 'it is not ordered again');
    if (kept) await assign(null);
  });
}
