/** Telephones of a SIP engine in live mode: their page, and the fields that offer them by name. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SIP_KIND } from '../../src/carriers/sip/index.ts';
import { checkAccess } from '../support/accessibility.ts';
import { addConnection } from '../support/live-network.ts';
import { useConsole } from './support/open-console.ts';
import { pick } from './support/own-account.ts';

const { harness, skip, open } = await useConsole({ adapterKinds: [SIP_KIND] });
let tenantId = '';

const send = async (method: string, path: string, body?: object) => {
  const { live_key: key } = harness.account;
  const reply = await harness.call(method, path, { key, ...(body !== undefined && { body }) });
  assert.ok(reply.status < 300, JSON.stringify(reply.body));
  return reply.body;
};

if (skip === false) {
  tenantId = (await send('POST', '/v1/tenants', { name: 'Desert Paws Clinic' })).id;
  const phones = ['front', 'back'].map((name) => ({ name, tenant: tenantId, number: '+16025550100' }));
  await addConnection(harness.context, {
    ...{ kind: 'sip', name: 'office', capabilities: [] },
    settings: {
      ...{ engines: 'a=http://127.0.0.1:9', dialplane_url: 'http://127.0.0.1:9', trunks: '[]' },
      phones: JSON.stringify(phones),
    },
    credentials: { ari_password: 'a-long-password', passwords: '{"front": "red-one", "back": "blue-two"}' },
  });
  await harness.connections.refresh();
}

test("a tenant's telephones are listed by name, with a link to the tenant and their registration", {
  skip,
}, async () => {
  const page = await open('sip-phones', { mode: 'live' });
  const table = page.getByRole('table', { name: 'Telephones' });
  await table.getByRole('row', { name: /front.*\(602\) 555-0100.*Desert Paws Clinic.*unknown/ }).waitFor();
  await checkAccess(page);
  await table.getByRole('row', { name: /front/ }).getByRole('link', { name: 'Desert Paws Clinic' }).click();
  await page.getByRole('heading', { name: 'Desert Paws Clinic' }).waitFor();
});

test('in test mode the page says that every name is a telephone', { skip }, async () => {
  const page = await open('sip-phones');
  await page.getByText('every name is a telephone that answers').waitFor();
});

test('the target of a ring is chosen from the telephones of the tenant', { skip }, async () => {
  const ring = { type: 'ring', targets: ['sip_phone:back'], timeout_seconds: 20 };
  const fields = { tenant_id: tenantId, name: 'Front desk' };
  const closed_behavior = { type: 'voicemail', greeting_text: 'We are closed.' };
  const { id } = await send('POST', '/v1/routing_configs', { ...fields, open_behavior: ring, closed_behavior });
  const page = await open(`routing/${id}`, { mode: 'live' });
  const field = page.getByRole('combobox', { name: 'Telephone of target 1' }).first();
  await field.waitFor();
  assert.equal(await field.inputValue(), 'back');
  await field.fill('');
  await page.getByRole('option', { name: 'front' }).click();
  await page.getByRole('button', { name: 'Save', exact: true }).first().click();
  await page.getByRole('button', { name: 'Saved' }).waitFor();
  assert.deepEqual((await send('GET', `/v1/routing_configs/${id}`)).open_behavior.targets, ['sip_phone:front']);
});

test('agents of a queue are added from the telephones and web clients of the tenant', { skip }, async () => {
  const client = await send('POST', '/v1/web_clients', { tenant_id: tenantId, name: 'Reception' });
  const page = await open(`queues?tenant_id=${tenantId}`, { mode: 'live' });
  await page.getByRole('button', { name: 'New queue' }).first().click();
  const form = page.getByRole('dialog');
  await form.getByRole('textbox', { name: 'Name' }).fill('Support');
  await pick(page, 'Add a web client or a telephone', 'front, telephone');
  // The field is empty and has the focus: the keyboard adds the next one.
  const next = form.getByRole('combobox', { name: 'Add a web client or a telephone' });
  assert.equal(await next.inputValue(), '');
  await next.and(page.locator(':focus')).waitFor();
  await page.keyboard.type('Rec');
  await page.getByRole('option', { name: 'Reception, web client' }).waitFor();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  assert.equal(await form.getByRole('textbox', { name: 'Agents' }).inputValue(), `sip_phone:front\n${client.id}`);
  await form.getByRole('button', { name: 'Make the queue' }).click();
  await page.getByRole('heading', { name: 'Support', level: 1 }).waitFor();
});
