/** Many contacts in one request: found again by reference or number, each with its result. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { useHarness } from '../../../../test/support/harness.ts';
import { newPerson } from '../../../../test/support/messages.ts';
import { makeTenant } from '../../../../test/support/numbers.ts';

const harness = await useHarness({ startWorkers: false });

async function upsert(tenant_id: string, ...contacts: object[]) {
  const { status, body } = await harness.call('POST', '/v1/contacts/upsert', { body: { tenant_id, contacts } });
  assert.equal(status, 200, JSON.stringify(body));
  return body.data;
}

type Result = { result: string; error: { code: string; param: string } | null };
const resultsOf = (data: Result[]) => data.map(({ result }) => result);
const get = async (id: string) => (await harness.call('GET', `/v1/contacts/${id}`)).body;

async function countOf(tenant_id: string): Promise<number> {
  return (await harness.call('GET', `/v1/contacts?tenant_id=${tenant_id}&limit=100`)).body.data.length;
}

test('a repeat changes nothing, by reference and by number', async () => {
  const tenantId = await makeTenant(harness);
  const people = [
    { name: 'Sam Ortiz', external_ref: 'crm-1' },
    { name: 'Kim Lee', phone_numbers: [newPerson(), newPerson()], company: 'Garage' },
  ];
  const first = await upsert(tenantId, ...people);
  assert.deepEqual(resultsOf(first), ['created', 'created']);
  const again = await upsert(tenantId, ...people);
  assert.deepEqual(resultsOf(again), ['unchanged', 'unchanged']);
  assert.deepEqual(again.map(idOf), first.map(idOf));
  assert.equal(await countOf(tenantId), 2);
});

const idOf = ({ contact_id }: { contact_id: string }) => contact_id;

test('a change replaces what is given, says what that was, and leaves the rest', async () => {
  const tenantId = await makeTenant(harness);
  const [a, b] = [newPerson(), newPerson()];
  const { body: before } = await harness.call('POST', '/v1/contacts', {
    body: { tenant_id: tenantId, name: 'Ann', email: 'ann@example.com', phone_numbers: [a], metadata: { vip: 'yes' } },
  });
  const [result] = await upsert(tenantId, { name: 'Ann Jones', phone_numbers: [b, a], external_ref: 'crm-2' });
  assert.deepEqual(
    [result.result, result.contact_id, result.changed.toSorted()],
    ['updated', before.id, ['external_ref', 'name', 'phone_numbers']],
  );
  const { name, email, phone_numbers, external_ref, metadata } = await get(before.id);
  assert.deepEqual([name, email, phone_numbers], ['Ann Jones', 'ann@example.com', [b, a]]);
  assert.deepEqual([external_ref, metadata], ['crm-2', { vip: 'yes' }]);
});

test('one that is refused changes nothing, and those around it stand', async () => {
  const tenantId = await makeTenant(harness);
  const [a, b, c] = [newPerson(), newPerson(), newPerson()];
  await upsert(tenantId, { name: 'One', external_ref: 'one', phone_numbers: [a] }, { name: 'Two', phone_numbers: [b] });
  const data = await upsert(
    tenantId,
    { name: 'Before', phone_numbers: [c] },
    // The number belongs to another person.
    { name: 'Three', external_ref: 'three', phone_numbers: [a] },
    { name: 'One again', external_ref: 'one', phone_numbers: [a, b] },
    { name: 'Nobody' },
    { name: 'After', external_ref: 'after' },
  );
  assert.deepEqual(resultsOf(data), ['created', 'refused', 'refused', 'refused', 'created']);
  assert.deepEqual(
    data.slice(1, 4).map(({ error, index }: Result & { index: number }) => [index, error?.code, error?.param]),
    [
      [1, 'contact_number_taken', 'contacts[1].phone_numbers'],
      [2, 'contact_number_taken', 'contacts[2].phone_numbers'],
      [3, 'missing_fields', 'contacts[3]'],
    ],
  );
  const { body } = await harness.call('GET', `/v1/contacts?tenant_id=${tenantId}&external_ref=one`);
  assert.deepEqual([body.data[0].name, body.data[0].phone_numbers], ['One', [a]]);
  assert.equal(await countOf(tenantId), 4);
});

test('the same person twice in one request is one contact', async () => {
  const tenantId = await makeTenant(harness);
  const number = newPerson();
  const person = { name: 'Twice', phone_numbers: [number] };
  assert.deepEqual(resultsOf(await upsert(tenantId, person, person)), ['created', 'unchanged']);
  assert.equal(await countOf(tenantId), 1);
});

test('requests at the same time make each person once', async () => {
  const tenantId = await makeTenant(harness);
  const people = Array.from({ length: 30 }, (_, index) => ({
    ...{ name: `Person ${index}`, external_ref: `ref-${index}`, phone_numbers: [newPerson()] },
  }));
  const all = await Promise.all([people, people.toReversed(), people].map((each) => upsert(tenantId, ...each)));
  assert.equal(await countOf(tenantId), 30);
  const refused = all.flat().filter(({ result }) => result === 'refused');
  assert.deepEqual(refused, []);
});

test('a mistake of the form refuses the whole request, with its place', async () => {
  const tenantId = await makeTenant(harness);
  const contacts = [
    { name: 'Good', external_ref: 'g' },
    { name: 'Bad', external_ref: 'b', email: 'none' },
  ];
  const { status, body } = await harness.call('POST', '/v1/contacts/upsert', {
    body: { tenant_id: tenantId, contacts },
  });
  assert.deepEqual([status, body.error.code, body.error.param], [400, 'invalid_body', 'contacts[1].email']);
  assert.equal(await countOf(tenantId), 0);
});
