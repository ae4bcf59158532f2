import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newPerson, outboxOf, read, refusal, trySend } from '../../../../test/support/messages.ts';
import { makeLine, useLine } from '../../../../test/support/numbers.ts';

const { harness, tenantId, number } = await useLine({ startWorkers: false });
const from = number.id;

async function create(fields: object = {}, key?: string) {
  const body = { tenant_id: tenantId, name: 'Reminder', body: 'Hi {{first_name}}, see you at {{ time }}.', ...fields };
  return harness.call('POST', '/v1/message_templates', { body, ...(key !== undefined && { key }) });
}
async function tenantKey(id: string): Promise<string> {
  const reply = await harness.call('POST', '/v1/api_keys', { body: { name: 'Tenant', tenant_id: id } });
  return reply.body.key;
}

test('a text is made from a template: what is sent is the filled text, counted after filling in', async () => {
  const { status, body: template } = await create();
  assert.equal(status, 201);
  assert.deepEqual(template.variables, ['first_name', 'time']);
  const to = newPerson();
  // Each variable is short, the filled text has two segments, and a value is not searched for variables.
  const variables = { first_name: `{{time}}${'a'.repeat(160)}`, time: '9:30', unused: 'x' };
  const sent = await trySend(harness, { from, to, template_id: template.id, variables });
  assert.equal(sent.status, 201, JSON.stringify(sent.body));
  assert.equal(sent.body.body, `Hi {{time}}${'a'.repeat(160)}, see you at 9:30.`);
  assert.equal(sent.body.segments, 2);
  await harness.advance(10);
  assert.equal((await outboxOf(harness, to))[0]?.['body'], sent.body.body);
});

test('a send names the variables without a value, and stores nothing', async () => {
  const { body: template } = await create();
  const to = newPerson();
  const reply = await trySend(harness, { from, to, template_id: template.id, variables: { time: '9:30' } });
  assert.deepEqual(refusal(reply), [400, 'missing_variables', 'variables']);
  assert.match(reply.body.error.message, /first_name/);
  assert.doesNotMatch(reply.body.error.message, /time/);
  assert.deepEqual((await read(harness, `/messages?to=${encodeURIComponent(to)}`)).data, []);
});

test('a filled text is checked like any other', async () => {
  const { body: template } = await create({ body: '{{text}}'.repeat(6) });
  const send = (text: string) =>
    trySend(harness, { from, to: newPerson(), template_id: template.id, variables: { text } });
  assert.deepEqual(refusal(await send('x'.repeat(267))), [400, 'body_too_long', 'body']);
  assert.deepEqual(refusal(await send('  ')), [400, 'empty_message', 'body']);
});

test('a body beside a template, and variables without one, are refused', async () => {
  const { body: template } = await create();
  const both = await trySend(harness, { from, to: newPerson(), body: 'Hi', template_id: template.id });
  assert.deepEqual(refusal(both), [400, 'invalid_body', 'body']);
  const none = await trySend(harness, { from, to: newPerson(), body: 'Hi', variables: { a: 'b' } });
  assert.deepEqual(refusal(none), [400, 'invalid_body', 'variables']);
});

for (const [what, body] of [
  ['braces around no name', 'Hi {{first name}}'],
  ['braces that are not closed', 'Hi {{first_name'],
  ['braces around nothing', 'Hi {{}}'],
  ['too many variables', Array.from({ length: 21 }, (_, n) => `{{v${n}}}`).join(' ')],
] as const) {
  test(`a template with ${what} is refused`, async () => {
    assert.deepEqual(refusal(await create({ body })), [400, 'invalid_body', 'body']);
  });
}

test("another account's template is not found, and nothing says that it exists", async () => {
  const other = await harness.secondAccount();
  const { body: foreign } = await create({ tenant_id: null }, other.test_key);
  const reply = await trySend(harness, { from, to: newPerson(), template_id: foreign.id, variables: {} });
  assert.deepEqual(refusal(reply), [404, 'template_not_found', 'template_id']);
});

test('a template can be changed and deleted; texts that were made with it stay', async () => {
  const { body: template } = await create({ body: 'One' });
  const path = `/v1/message_templates/${template.id}`;
  const sent = await trySend(harness, { from, to: newPerson(), template_id: template.id });
  const changed = await harness.call('PATCH', path, { body: { body: 'Two {{a}}' } });
  assert.deepEqual([changed.body.name, changed.body.body, changed.body.variables], ['Reminder', 'Two {{a}}', ['a']]);
  assert.equal((await harness.call('DELETE', path)).status, 204);
  assert.deepEqual(refusal(await harness.call('GET', path)).slice(0, 2), [404, 'template_not_found']);
  assert.equal((await read(harness, `/messages/${sent.body.id}`)).body, 'One');
});

test("a template of one tenant does not serve another tenant's number; one for all does", async () => {
  const other = await makeLine(harness);
  const { body: own } = await create();
  const { body: shared } = await create({ tenant_id: null });
  const variables = { first_name: 'Ann', time: '9:30' };
  const send = (id: string) => trySend(harness, { from: other.number.id, to: newPerson(), template_id: id, variables });
  assert.deepEqual(refusal(await send(own.id)), [404, 'template_not_found', 'template_id']);
  assert.equal((await send(shared.id)).status, 201);
});

test("a tenant's key reads and uses templates for all, and changes its own alone", async () => {
  const key = await tenantKey(tenantId);
  const { body: shared } = await create({ tenant_id: null });
  const { body: own } = await create({ tenant_id: undefined }, key);
  assert.equal(own.tenant_id, tenantId);
  const { data } = await read(harness, '/message_templates', key);
  const ids = data.map(({ id }: { id: string }) => id);
  assert.ok(ids.includes(shared.id) && ids.includes(own.id));
  const path = `/v1/message_templates/${shared.id}`;
  assert.equal((await harness.call('GET', path, { key })).status, 200);
  for (const reply of [
    await create({ tenant_id: null }, key),
    await harness.call('PATCH', path, { body: { name: 'Mine' }, key }),
    await harness.call('DELETE', path, { key }),
  ]) {
    assert.deepEqual(refusal(reply).slice(0, 2), [403, 'key_not_permitted']);
  }
});

test('the templates of a tenant go with the tenant', async () => {
  const tenant = await harness.call('POST', '/v1/tenants', { body: { name: 'Short' } });
  const { body: template } = await create({ tenant_id: tenant.body.id });
  assert.equal((await harness.call('DELETE', `/v1/tenants/${tenant.body.id}`)).status, 204);
  const reply = await harness.call('GET', `/v1/message_templates/${template.id}`);
  assert.deepEqual(refusal(reply).slice(0, 2), [404, 'template_not_found']);
});
