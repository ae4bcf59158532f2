import assert from 'node:assert/strict';
import { test } from 'node:test';
import { useHarness } from '../../../../test/support/harness.ts';
import { arrive, newPerson, refusal, sendText } from '../../../../test/support/messages.ts';
import { makeLine } from '../../../../test/support/numbers.ts';

const harness = await useHarness({ startWorkers: false });

const call = (method: string, path: string, key = harness.account.test_key, body?: object) =>
  harness.call(method, `/v1${path}`, { key, ...(body && { body }) });

test("a tenant's key reads its own tenant, and changes, deletes and creates none", async () => {
  const { tenantId } = await makeLine(harness);
  const other = await makeLine(harness);
  const key = await harness.tenantKey(tenantId);
  assert.equal((await call('GET', `/tenants/${tenantId}`, key)).status, 200);
  const list = await call('GET', '/tenants', key);
  assert.deepEqual(
    list.body.data.map(({ id }: { id: string }) => id),
    [tenantId],
  );
  const strange = refusal(await call('GET', `/tenants/${other.tenantId}`, key));
  assert.deepEqual(strange.slice(0, 2), [403, 'tenant_restricted_key']);
  for (const [method, path, body] of [
    ['POST', '/tenants', { name: 'Another' }],
    ['PATCH', `/tenants/${tenantId}`, { name: 'Renamed by itself' }],
    ['DELETE', `/tenants/${tenantId}`],
    ['DELETE', `/tenants/${other.tenantId}`],
    ['POST', '/api_keys', { name: 'Of its own', tenant_id: tenantId }],
  ] as const) {
    const refused = refusal(await call(method, path, key, body));
    assert.deepEqual(refused.slice(0, 2), [403, 'key_not_permitted'], `${method} ${path}`);
  }
  assert.equal((await call('GET', `/tenants/${tenantId}`)).body.name, 'Tenant');
});

test('deleting a tenant releases its numbers, revokes its keys, frees its external_ref and keeps its history', async () => {
  const { tenantId, number } = await makeLine(harness);
  const external_ref = `ref of ${tenantId}`;
  assert.equal((await call('PATCH', `/tenants/${tenantId}`, undefined, { external_ref })).status, 200);
  const person = newPerson();
  const sent = await sendText(harness, number.id, person);
  await arrive(harness, person, number.phone_number, 'STOP');
  const key = await harness.tenantKey(tenantId);

  assert.equal((await call('DELETE', `/tenants/${tenantId}`)).status, 204);
  assert.equal((await call('GET', '/tenants', key)).status, 401);
  for (const method of ['GET', 'DELETE']) {
    assert.deepEqual(refusal(await call(method, `/tenants/${tenantId}`)).slice(0, 2), [404, 'tenant_not_found']);
  }
  assert.equal((await call('GET', `/phone_numbers/${number.id}`)).body.status, 'released');
  assert.equal((await call('GET', `/messages/${sent.id}`)).status, 200);
  for (const list of ['messages', 'conversations', 'events', 'opt_outs', 'phone_numbers']) {
    const page = await call('GET', `/${list}?tenant_id=${tenantId}`);
    assert.equal(page.status, 200, list);
    if (list !== 'phone_numbers') assert.ok(page.body.data.length > 0, list);
  }
  const successor = await call('POST', '/tenants', undefined, { name: 'Successor', external_ref });
  assert.equal(successor.status, 201);
});

test('an update changes the given fields only, and replaces all metadata', async () => {
  const made = await call('POST', '/tenants', undefined, {
    name: 'A',
    external_ref: 'ref',
    metadata: { a: '1', b: '2' },
  });
  assert.equal(made.body.timezone, 'America/Phoenix');
  const changed = await call('PATCH', `/tenants/${made.body.id}`, undefined, { metadata: { c: '3' } });
  assert.deepEqual(changed.body, { ...made.body, metadata: { c: '3' } });
  const cleared = await call('PATCH', `/tenants/${made.body.id}`, undefined, { external_ref: null });
  assert.equal(cleared.body.external_ref, null);
});

test('the sender name is the name until one is set, and again when it is removed', async () => {
  const { body: made } = await call('POST', '/tenants', undefined, { name: 'Desert Dental' });
  assert.deepEqual([made.sender_name, made.support_contact], ['Desert Dental', null]);
  const patch = async (body: object) => {
    const { status, body: tenant } = await call('PATCH', `/tenants/${made.id}`, undefined, body);
    return [status, tenant.sender_name, tenant.support_contact];
  };
  assert.deepEqual(await patch({ name: 'Desert Dental LLC' }), [200, 'Desert Dental LLC', null]);
  assert.deepEqual(await patch({ sender_name: 'Dr. Reyes' }), [200, 'Dr. Reyes', null]);
  const support_contact = 'https://desertdental.example/help';
  assert.deepEqual(await patch({ name: 'DD', support_contact }), [200, 'Dr. Reyes', support_contact]);
  const read = await call('GET', `/tenants/${made.id}`);
  assert.deepEqual([read.body.sender_name, read.body.support_contact], ['Dr. Reyes', support_contact]);
  assert.deepEqual(await patch({ sender_name: null, support_contact: null }), [200, 'DD', null]);
  const long = { name: `${'Orthopaedic Surgery '.repeat(4)}` };
  assert.deepEqual(await patch(long), [200, 'Orthopaedic Surgery Orthopaedic Surgery', null]);
});

test('a sender name has 1 to 40 characters, a support contact is a phone number, an email or a web address', async () => {
  const { body: made } = await call('POST', '/tenants', undefined, { name: 'A' });
  const accepted = [
    { sender_name: '医'.repeat(40) },
    ...['+16025550143', '(602) 555-0143', '1-800-555-0143', 'help@desertdental.example'].map((support_contact) => ({
      support_contact,
    })),
    { support_contact: 'http://desertdental.example:8080/help?from=text#top' },
  ];
  for (const body of accepted) {
    assert.equal((await call('PATCH', `/tenants/${made.id}`, undefined, body)).status, 200, JSON.stringify(body));
    const { status } = await call('POST', '/tenants', undefined, { name: 'B', ...body });
    assert.equal(status, 201, JSON.stringify(body));
  }
  const wrong = {
    sender_name: ['', ' ', 'x'.repeat(41), 5],
    support_contact: ['', 'us', '911', 'ftp://a.example', 'a@b', 7],
  };
  for (const [param, values] of Object.entries(wrong)) {
    for (const value of values) {
      const refused = refusal(await call('PATCH', `/tenants/${made.id}`, undefined, { [param]: value }));
      assert.deepEqual(refused, [400, 'invalid_body', param], JSON.stringify(value));
    }
  }
});

test('all mistakes in a tenant are named at once, with their codes', async () => {
  const body = {
    timezone: 'Mars/Olympus',
    sender_name: 'x'.repeat(41),
    support_contact: 'us',
    metadata: { a: 1 },
    nme: 'A',
  };
  const { status, body: reply } = await call('POST', '/tenants', undefined, body);
  assert.deepEqual([status, reply.error.code, reply.error.param], [400, 'name_required', 'name']);
  const found = reply.error.fields.map(({ param, code }: { param: string; code: string }) => [param, code]);
  assert.deepEqual(found.sort(), [
    ['metadata.a', 'invalid_body'],
    ['name', 'name_required'],
    ['nme', 'invalid_body'],
    ['sender_name', 'invalid_body'],
    ['support_contact', 'invalid_body'],
    ['timezone', 'invalid_timezone'],
  ]);
});

test('a name cannot be emptied, and metadata is returned under names of any kind', async () => {
  const { body: made } = await call('POST', '/tenants', undefined, { name: 'A' });
  for (const name of ['', '  ', null]) {
    const refused = refusal(await call('PATCH', `/tenants/${made.id}`, undefined, { name }));
    assert.deepEqual(refused, [400, 'name_required', 'name'], JSON.stringify(name));
  }
  const metadata = { 'two\nlines': 'a', '\u2028': 'b', plain: 'c' };
  assert.deepEqual((await call('PATCH', `/tenants/${made.id}`, undefined, { metadata })).body.metadata, metadata);
  assert.deepEqual((await call('GET', `/tenants/${made.id}`)).body, { ...made, metadata });
  const wrong = await call('PATCH', `/tenants/${made.id}`, undefined, { metadata: { 'a\nb': 5 } });
  assert.deepEqual(refusal(wrong).slice(0, 2), [400, 'invalid_body']);
});
