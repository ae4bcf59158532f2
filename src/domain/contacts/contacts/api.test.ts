/** Contacts: who they are, whose numbers they have, and how they are found. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type Reply, useHarness } from '../../../../test/support/harness.ts';
import { newPerson } from '../../../../test/support/messages.ts';
import { makeTenant } from '../../../../test/support/numbers.ts';

const harness = await useHarness({ startWorkers: false });
const tenantId = await makeTenant(harness);

const post = (body: object) => harness.call('POST', '/v1/contacts', { body: { tenant_id: tenantId, ...body } });
const patch = (id: string, body: object) => harness.call('PATCH', `/v1/contacts/${id}`, { body });

async function make(body: object) {
  const reply = await post(body);
  assert.equal(reply.status, 201, JSON.stringify(reply.body));
  return reply.body;
}

/** Returns the names of the contacts that a list shows, page by page. */
async function namesOf(query: Record<string, string>, limit = '100'): Promise<string[]> {
  const names: string[] = [];
  for (let after: string | null = ''; after !== null; ) {
    const asked: string = new URLSearchParams({ ...query, limit, ...(after && { after }) }).toString();
    const { status, body } = await harness.call('GET', `/v1/contacts?${asked}`);
    assert.equal(status, 200, JSON.stringify(body));
    names.push(...body.data.map(({ name }: { name: string }) => name));
    after = body.next_cursor;
  }
  return names;
}

function refused(reply: Reply, status: number, code: string, param: string): void {
  const { error } = reply.body;
  assert.deepEqual([reply.status, error?.code, error?.param], [status, code, param], JSON.stringify(reply.body));
}

test('a contact has what was said of it, and what was not said is empty', async () => {
  const number = newPerson();
  const said = { name: 'Sam Ortiz', company: 'Desert Paws', email: 'sam@example.com', external_ref: 'crm-7' };
  const { id, created_at, updated_at, ...contact } = await make({
    ...said,
    phone_numbers: [number],
    metadata: { a: 'b' },
  });
  assert.match(id, /^con_/);
  assert.equal(created_at, updated_at);
  assert.deepEqual(contact, {
    ...{ object: 'contact', tenant_id: tenantId, ...said, phone_numbers: [number], metadata: { a: 'b' } },
  });
  const { phone_numbers, company, email, external_ref, metadata } = await make({ name: 'Nobody' });
  assert.deepEqual([phone_numbers, company, email, external_ref, metadata], [[], null, null, null, {}]);
});

test('numbers and references are one contact in a tenant, and free in another', async () => {
  const [first, second] = [newPerson(), newPerson()];
  const one = await make({ name: 'One', phone_numbers: [first, second], external_ref: 'ref-1' });
  refused(
    await post({ name: 'Two', phone_numbers: [newPerson(), second] }),
    409,
    'contact_number_taken',
    'phone_numbers',
  );
  refused(await post({ name: 'Two', external_ref: 'ref-1' }), 409, 'external_ref_taken', 'external_ref');
  const other = await makeTenant(harness);
  await make({ tenant_id: other, name: 'Elsewhere', phone_numbers: [second], external_ref: 'ref-1' });
  const two = await make({ name: 'Two' });
  refused(await patch(two.id, { phone_numbers: [second] }), 409, 'contact_number_taken', 'phone_numbers');
  assert.deepEqual((await patch(one.id, { phone_numbers: [first] })).body.phone_numbers, [first]);
  assert.deepEqual((await patch(two.id, { phone_numbers: [second] })).body.phone_numbers, [second]);
  await harness.call('DELETE', `/v1/contacts/${one.id}`);
  assert.equal((await patch(two.id, { phone_numbers: [second, first], external_ref: 'ref-1' })).status, 200);
});

test('a change replaces what it names, in the order that it gives, and nothing else', async () => {
  const [a, b, c] = [newPerson(), newPerson(), newPerson()];
  const { id, created_at } = await make({
    name: 'Kim',
    company: 'Garage',
    email: 'k@example.com',
    phone_numbers: [a, b],
  });
  await harness.advance(60);
  const { body } = await patch(id, { phone_numbers: [c, b], company: null });
  assert.deepEqual([body.name, body.company, body.email, body.phone_numbers], ['Kim', null, 'k@example.com', [c, b]]);
  assert.ok(Date.parse(body.updated_at) >= Date.parse(created_at) + 60_000);
  assert.deepEqual((await harness.call('GET', `/v1/contacts/${id}`)).body, body);
});

test('what is no contact is refused with its field', async () => {
  const many = Array.from({ length: 11 }, newPerson);
  for (const [body, code, param] of [
    [{}, 'missing_fields', 'name'],
    [{ name: ' ' }, 'missing_fields', 'name'],
    [{ name: 'x'.repeat(201) }, 'invalid_body', 'name'],
    [{ name: 'x', phone_numbers: ['602 555 0143'] }, 'invalid_body', 'phone_numbers[0]'],
    [{ name: 'x', phone_numbers: many }, 'invalid_body', 'phone_numbers'],
    [{ name: 'x', phone_numbers: [many[0], many[0]] }, 'invalid_body', 'phone_numbers'],
    [{ name: 'x', email: 'nobody' }, 'invalid_body', 'email'],
  ] as const) {
    refused(await post(body), 400, code, param);
  }
});

describe('finding contacts', () => {
  test('by the start of each word of name and company, without regard to case and accents', async () => {
    const tenant_id = await makeTenant(harness);
    for (const [name, company] of [
      ['José Núñez', 'Clínica del Sol'],
      ['Josephine Sole', null],
      ['Ann Jones', 'Joy & Sons'],
    ]) {
      await make({ tenant_id, name, company });
    }
    const found = (q: string) => namesOf({ tenant_id, q });
    assert.deepEqual(await found('jos'), ['José Núñez', 'Josephine Sole']);
    assert.deepEqual(await found('JOSÉ'), ['José Núñez', 'Josephine Sole']);
    assert.deepEqual(await found('nunez'), ['José Núñez']);
    assert.deepEqual(await found('sol'), ['José Núñez', 'Josephine Sole']);
    assert.deepEqual(await found('jos sole'), ['Josephine Sole']);
    assert.deepEqual(await found('so jo'), ['José Núñez', 'Josephine Sole', 'Ann Jones']);
    assert.deepEqual(await found('ones'), []);
    assert.deepEqual(await found('&'), []);
    // A contact is found once, even if several of its words begin with the prefix.
    assert.deepEqual((await found('jo')).toSorted(), ['Ann Jones', 'Josephine Sole', 'José Núñez']);
    assert.deepEqual(await namesOf({ tenant_id, q: 'jo' }, '1'), await found('jo'));
  });

  test('a changed name is found by its new words alone', async () => {
    const tenant_id = await makeTenant(harness);
    const { id } = await make({ tenant_id, name: 'Maria Lopez', company: 'Plumbing' });
    await patch(id, { name: 'Maria Gomez' });
    const found = (q: string) => namesOf({ tenant_id, q });
    assert.deepEqual(
      [await found('lop'), await found('gom'), await found('plu')],
      [[], ['Maria Gomez'], ['Maria Gomez']],
    );
  });

  test('by number and by reference, in every tenant or in one, and with words', async () => {
    const [here, there] = [await makeTenant(harness), await makeTenant(harness)];
    const number = newPerson();
    for (const [tenant_id, name] of [
      [here, 'Here'],
      [there, 'There'],
    ]) {
      await make({ tenant_id, name, phone_numbers: [newPerson(), number], external_ref: 'ref-9' });
    }
    assert.deepEqual(await namesOf({ phone_number: number }), ['There', 'Here']);
    assert.deepEqual(await namesOf({ phone_number: number, tenant_id: here }), ['Here']);
    assert.deepEqual(await namesOf({ external_ref: 'ref-9' }), ['There', 'Here']);
    assert.deepEqual(await namesOf({ external_ref: 'ref-9', tenant_id: there }), ['There']);
    assert.deepEqual(await namesOf({ q: 'he', phone_number: number, external_ref: 'ref-9' }), ['Here']);
    assert.deepEqual(await namesOf({ phone_number: newPerson() }), []);
  });

  test('by many numbers at once, each contact once', async () => {
    const tenant_id = await makeTenant(harness);
    const [a, b, c, d] = [newPerson(), newPerson(), newPerson(), newPerson()];
    for (const [name, ...phone_numbers] of [
      ['Two', a, b],
      ['One', c],
      ['Other', d],
    ]) {
      await make({ tenant_id, name, phone_numbers });
    }
    assert.deepEqual(await namesOf({ tenant_id, phone_numbers: [a, b, c, newPerson()].join(',') }), ['One', 'Two']);
    assert.deepEqual(await namesOf({ tenant_id, phone_numbers: `${a},${b},${d}` }, '1'), ['Other', 'Two']);
    for (const phone_numbers of ['x', `${a},`, Array(51).fill(a).join(',')]) {
      refused(
        await harness.call('GET', `/v1/contacts?${new URLSearchParams({ phone_numbers })}`),
        400,
        'invalid_body',
        'phone_numbers',
      );
    }
  });

  test('a key of one tenant finds the contacts of that tenant', async () => {
    const mine = await makeTenant(harness);
    const key = await harness.tenantKey(mine);
    await make({ tenant_id: mine, name: 'Zebra One' });
    const foreign = await make({ name: 'Zebra Two' });
    const { body } = await harness.call('GET', '/v1/contacts?q=zebra', { key });
    assert.deepEqual(
      body.data.map(({ name }: { name: string }) => name),
      ['Zebra One'],
    );
    const reply = await harness.call('GET', `/v1/contacts/${foreign.id}`, { key });
    assert.deepEqual([reply.status, reply.body.error.code], [403, 'tenant_restricted_key']);
  });
});

test('the contacts of a deleted tenant are gone', async () => {
  const tenant_id = await makeTenant(harness);
  const { id } = await make({ tenant_id, name: 'Gone', phone_numbers: [newPerson()] });
  assert.equal((await harness.call('DELETE', `/v1/tenants/${tenant_id}`)).status, 204);
  assert.equal((await harness.call('GET', `/v1/contacts/${id}`)).status, 404);
});
