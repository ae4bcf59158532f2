/** The texts that people type to find a tenant, a contact, a number or a conversation. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { useHarness } from '../../../test/support/harness.ts';
import { buyNumber } from '../../../test/support/numbers.ts';

const harness = await useHarness({ startWorkers: false });

async function must(method: string, path: string, body?: object) {
  const reply = await harness.call(method, `/v1${path}`, body === undefined ? {} : { body });
  assert.ok(reply.status < 300, JSON.stringify(reply.body));
  return reply.body;
}

const PERSON = '+14155550143';
const clinic = await must('POST', '/tenants', { name: 'Desert Paws Clinic', external_ref: 'crm-100' });
const garage = await must('POST', '/tenants', { name: 'Núñez Garage' });
const number = await buyNumber(harness, clinic.id);
const contact = await must('POST', '/contacts', {
  ...{ tenant_id: clinic.id, name: 'José Marín', company: 'Paws & Co', phone_numbers: [PERSON], external_ref: 'P-7' },
});
const { conversation_id } = await must('POST', '/messages', { from: number.id, to: PERSON, body: 'Hello' });

/** Returns the found resources, as `object id`. */
async function find(q: string, more: Record<string, string> = {}, key = harness.account.test_key): Promise<string[]> {
  const { status, body } = await harness.call('GET', `/v1/search?${new URLSearchParams({ q, ...more })}`, { key });
  assert.equal(status, 200, JSON.stringify(body));
  return body.data.map(({ object, id }: { object: string; id: string }) => `${object} ${id}`);
}

const [theClinic, theGarage] = [`tenant ${clinic.id}`, `tenant ${garage.id}`];
const [theContact, theTalk] = [`contact ${contact.id}`, `conversation ${conversation_id}`];
const theNumber = `phone_number ${number.id}`;

test('a result says what it is, and what tells it from others', async () => {
  const { body } = await harness.call('GET', '/v1/search?q=marin');
  assert.deepEqual(body.data, [
    {
      ...{ object: 'contact', id: contact.id, title: 'José Marín', detail: `Paws & Co · ${PERSON} · P-7` },
      ...{ tenant_id: clinic.id, last_activity_kind: null },
    },
    {
      ...{ object: 'conversation', id: conversation_id, title: 'José Marín', detail: PERSON, tenant_id: clinic.id },
      last_activity_kind: null,
    },
  ]);
});

test('a conversation has the name of its contact, by whatever it is found', async () => {
  const other = await must('POST', '/messages', { from: number.id, to: '+14155560199', body: 'Hi' });
  const found = async (q: string) => {
    const { body } = await harness.call('GET', `/v1/search?${new URLSearchParams({ q })}`);
    const talks = body.data.filter(({ object }: { object: string }) => object === 'conversation');
    return talks.map(({ title, detail, last_activity_kind }: Record<string, string | null>) =>
      last_activity_kind === null ? [title, detail] : [title, detail, last_activity_kind],
    );
  };
  for (const q of ['marin', PERSON, conversation_id]) assert.deepEqual(await found(q), [['José Marín', PERSON]], q);
  assert.deepEqual(await found('415 55'), [
    ['José Marín', PERSON],
    ['+14155560199', 'Hi', 'message'],
  ]);
  const chosen = { contact_id: contact.id };
  await must('PATCH', `/conversations/${other.conversation_id}`, chosen);
  assert.deepEqual(await found('+14155560199'), [['José Marín', '+14155560199']], 'the contact that was chosen');
  const both = [
    ['José Marín', '+14155560199'],
    ['José Marín', PERSON],
  ];
  assert.deepEqual((await found('marin')).sort(), both.sort(), 'by the name of the contact that was chosen');
  const brother = { tenant_id: clinic.id, name: 'Luis Marín', phone_numbers: ['+14155560199'] };
  const { id: brotherId } = await must('POST', '/contacts', brother);
  assert.deepEqual(await found('luis'), [], 'not by the owner of the number, whom the choice has replaced');
  await must('DELETE', `/contacts/${brotherId}`);
  await must('PATCH', `/conversations/${other.conversation_id}`, { contact_id: null });
});

test('names are found by the start of each word, without regard to case and accents', async () => {
  assert.deepEqual(await find('paws'), [theClinic, theContact, theTalk]);
  assert.deepEqual(await find('PAWS des'), [theClinic]);
  assert.deepEqual(await find('nunez'), [theGarage]);
  assert.deepEqual(await find('linic'), []);
});

test('ids and references are found as they are', async () => {
  for (const id of [clinic.id, contact.id, number.id, conversation_id]) {
    assert.ok((await find(id))[0]?.endsWith(id), id);
  }
  assert.deepEqual(await find(' crm-100 '), [theClinic]);
  assert.deepEqual((await find('P-7'))[0], theContact);
});

test('a number is found in any usual writing, also by its beginning', async () => {
  for (const written of [
    ...['+14155550143', '14155550143', '4155550143', '(415) 555-0143', '415.555.0143', '+1 415 555 0143', '415 555'],
    ...[
      'tel:+1-415-555-0143',
      '\u200e+1 415\u00a0555\u20110143',
      '0014155550143',
      '０１１１４１５５５５０１４３',
      '４１５ ５５５ ０１４３',
    ],
  ]) {
    assert.deepEqual(await find(written), [theContact, theTalk], written);
  }
  assert.deepEqual(await find(number.phone_number), [theNumber]);
  assert.deepEqual(await find('41'), []);
});

test('a tenant narrows what is found, and a key of one tenant sees that tenant alone', async () => {
  assert.deepEqual(await find('paws', { tenant_id: garage.id }), []);
  assert.deepEqual(await find('marin', { tenant_id: clinic.id }), [theContact, theTalk]);
  const [own, other] = [await harness.tenantKey(clinic.id), await harness.tenantKey(garage.id)];
  assert.deepEqual(await find('415 555 0143', {}, own), [theContact, theTalk]);
  for (const q of ['paws', '4155550143', contact.id, 'crm-100', number.id])
    assert.deepEqual(await find(q, {}, other), []);
  const stranger = (await harness.secondAccount()).test_key;
  for (const q of ['paws', '4155550143', clinic.id, 'crm-100']) assert.deepEqual(await find(q, {}, stranger), []);
});

test('no more is found than is asked for', async () => {
  for (let n = 0; n < 5; n++) await must('POST', '/contacts', { tenant_id: garage.id, name: `Zed ${n}` });
  assert.equal((await find('zed', { limit: '3' })).length, 3);
});

test('a tenant is listed by the words of its name, by its new words alone after a change, and not when it is deleted', async () => {
  const names = async (q: string) =>
    (await must('GET', `/tenants?${new URLSearchParams({ q })}`)).data.map(({ name }: { name: string }) => name);
  assert.deepEqual(await names('paw clin'), ['Desert Paws Clinic']);
  assert.deepEqual(await names('NÚÑ'), ['Núñez Garage']);
  assert.deepEqual(await names('!'), []);
  const { id } = await must('POST', '/tenants', { name: 'Old Name', external_ref: 'crm-200' });
  await must('PATCH', `/tenants/${id}`, { name: 'New Name' });
  assert.deepEqual([await names('old'), await names('new')], [[], ['New Name']]);
  assert.deepEqual((await must('GET', '/tenants?external_ref=crm-200&q=new')).data.length, 1);
  assert.deepEqual((await must('GET', '/tenants?external_ref=crm-200&q=old')).data.length, 0);
  await must('DELETE', `/tenants/${id}`);
  assert.deepEqual([await names('new'), await find('new')], [[], []]);
});
