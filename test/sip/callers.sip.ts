/**
 * The forms of a caller's number, including a withheld number. A trunk receives the caller's number on a forwarded
 * call.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readDisplayName } from '../../src/lib/phone/display-name.ts';
import type { Json } from '../support/events.ts';
import { until } from '../support/jobs.ts';
import { newPerson } from '../support/messages.ts';
import { openPeer } from './config/sip-peer.ts';
import { useSipLine } from './sip-line.ts';
import { headerOf } from './sip-text.ts';

const TELEPHONE = '+13035550161';
const line = await useSipLine({
  trunkSettings: { main: { caller_id: 'passed_on' } },
  engineSettings: ({ tenantId, phoneNumber: number }) => ({
    phones: JSON.stringify([{ number: TELEPHONE }, { name: 'front', tenant: tenantId, number }]),
  }),
  passwords: { [TELEPHONE]: 'red-one', front: 'blue-two' },
});
const { people, engine, number, get, route, untilHas, untilQuiet } = line;

const inbound = async () => (await get('/calls?direction=inbound&limit=100')).data;

/** A person calls the number, with their own number in some form. Resolves with the call once it has arrived. */
async function callIn(from: string, headers: readonly string[] = [], called = number.phone_number) {
  const seen = (await inbound()).length;
  await people.callIn(from, called, engine.sipPort, headers);
  await until(`the call of ${from} has arrived`, async () => (await inbound()).length > seen, 20_000);
  return (await inbound())[0];
}

/** How networks ask to hide a caller (RFC 3323, RFC 3325; Remote-Party-ID is older). */
const WITHHELD: Readonly<Record<string, (caller: string) => readonly string[]>> = {
  'by Privacy, with the number asserted': (caller) => [`P-Asserted-Identity: <sip:${caller}@127.0.0.1>`, 'Privacy: id'],
  'by Privacy alone': () => ['Privacy: id'],
  'by Privacy with several values': (caller) => [`P-Asserted-Identity: <tel:${caller}>`, 'Privacy: user;id'],
  'by Remote-Party-ID': (caller) => [
    `Remote-Party-ID: <sip:${caller}@127.0.0.1>;party=calling;privacy=full;screen=yes`,
  ],
};

for (const [how, headersOf] of Object.entries(WITHHELD))
  test(`a number that is withheld ${how} is shown to nobody`, async () => {
    const [agent, caller] = [newPerson(), newPerson()];
    people.set(caller, { name: '"Dana"' });
    await route({ type: 'ring', targets: [agent] });
    const { id } = await callIn(caller, headersOf(caller));
    await untilHas(`/calls/${id}`, { status: 'in_progress', from: 'anonymous', conversation_id: null });
    const call = await get(`/calls/${id}`);
    assert.equal(call.caller_name, null);
    const events = await get(`/events?resource_id=${id}&limit=100`);
    const invite = people.inviteOf(agent);
    for (const told of [JSON.stringify(call), JSON.stringify(events), invite]) {
      assert.ok(!told.includes(caller.slice(1)) && !told.includes('Dana'), told);
    }
    assert.equal(headerOf(invite, 'Privacy'), 'id');
    assert.ok(headerOf(invite, 'Diversion').includes(number.phone_number), invite);
    people.hangUp(caller);
    await untilQuiet();
  });

test('a number that is withheld stays so, whatever the called address has beside its number', async () => {
  const caller = newPerson();
  await route({ type: 'ring', targets: [newPerson()] });
  // RFC 3261, 25.1: the user part of an address may contain a comma.
  const called = `${number.phone_number};tgrp=a,b,c,d`;
  assert.equal((await callIn(caller, ['Privacy: id'], called)).from, 'anonymous');
  people.hangUp(caller);
  await untilQuiet();
});

test('a caller who hides nothing is shown, asks for no privacy, and is passed on with the number that passes on', async () => {
  const [agent, caller] = [newPerson(), newPerson()];
  await route({ type: 'ring', targets: [agent] });
  const asserted = `P-Asserted-Identity: <sip:${caller};verstat=TN-Validation-Passed-B@127.0.0.1>`;
  const { id, attestation } = await callIn(caller, [asserted]);
  assert.equal(attestation, 'B');
  await untilHas(`/calls/${id}`, { status: 'in_progress', from: caller });
  const invite = people.inviteOf(agent);
  assert.ok(headerOf(invite, 'P-Asserted-Identity').includes(caller), invite);
  assert.ok(!/^Privacy:/im.test(invite), invite);
  // RFC 5806.
  const diversion = `<sip:${number.phone_number}@127.0.0.1>;reason=unconditional;counter=1`;
  assert.equal(headerOf(invite, 'Diversion'), diversion);
  people.hangUp(caller);
  await untilQuiet();
});

/** The headers of a caller, and the resulting name of the call. */
const NAMED: [from: string, asserted: (caller: string) => readonly string[], name: string | null][] = [
  ['"Zoë \\"Z\\" 田中"', () => [], 'Zoë "Z" 田中'],
  ['"Lee"', (caller) => [`P-Asserted-Identity: "Dana Reyes" <sip:${caller}@127.0.0.1>`], 'Dana Reyes'],
  ['Lee', (caller) => [`P-Asserted-Identity: <sip:${caller}@127.0.0.1>`], 'Lee'],
  ['', () => [], null],
];

for (const [shown, assertedBy, name] of NAMED)
  test(`the name of a caller (${shown}) is that of the call and of a telephone that rings (${name})`, async () => {
    const phone = await openPeer('127.0.0.21');
    const to = { user: `phone-${TELEPHONE.slice(1)}`, port: engine.sipPort };
    const registered = await phone.ask({ method: 'REGISTER', user: to.user, to, password: 'red-one' });
    assert.match(registered, /^SIP\/2.0 200/);
    const caller = newPerson();
    people.set(caller, { name: shown });
    await route({ type: 'ring', targets: [TELEPHONE] });
    const { id } = await callIn(caller, assertedBy(caller));
    const invite = () => phone.requests.find((request) => request.startsWith('INVITE '));
    await until('the telephone rings', () => invite() !== undefined, 20_000);
    assert.deepEqual([(await get(`/calls/${id}`)).caller_name, (await get(`/calls/${id}`)).from], [name, caller]);
    const from = headerOf(invite() ?? '', 'From');
    assert.equal(readDisplayName(from) ?? null, name, from);
    assert.ok(from.includes(caller), from);
    people.hangUp(caller);
    await untilQuiet();
  });

test('a telephone of the tenant shows the name of its contact, which no trunk gets', async () => {
  const phone = await openPeer('127.0.0.22');
  const to = { user: 'phone-front', port: engine.sipPort };
  assert.match(await phone.ask({ method: 'REGISTER', user: to.user, to, password: 'blue-two' }), /^SIP\/2.0 200/);
  const [caller, outside] = [newPerson(), newPerson()];
  const name = `Zoë \\ "Z" 田中 <sip:911@x>; \${HANGUPCAUSE}, 100%`;
  await line.make('/contacts', { tenant_id: line.tenantId, name, phone_numbers: [caller] });
  people.set(caller, { name: '"DANA"' });
  people.set(outside, { answersAfterMs: null });
  await route({ type: 'ring', targets: ['sip_phone:front', outside] });
  const { id } = await callIn(caller);
  const invite = () => phone.requests.find((request) => request.startsWith('INVITE '));
  await until('the telephone rings', () => invite() !== undefined, 20_000);
  await until('the outside number rings', () => people.rings(outside), 20_000);
  const from = headerOf(invite() ?? '', 'From');
  assert.equal(readDisplayName(from), name, from);
  assert.ok(from.includes(`<sip:${caller}@`), from);
  assert.equal((await get(`/calls/${id}`)).caller_name, 'DANA');
  assert.ok(!/Zo|DANA/.test(people.inviteOf(outside)), people.inviteOf(outside));
  people.hangUp(caller);
  await untilQuiet();
});

test('a caller is E.164 in whatever form the trunk writes the number', async () => {
  await route({ type: 'ring', targets: [newPerson()] });
  const forms: [written: string, read: string][] = [
    ['011442071838750', '+442071838750'],
    ['00442071838751', '+442071838751'],
    ['3035550142', '+13035550142'],
    ['+13035550143;verstat=TN-Validation-Passed', '+13035550143'],
    ['5550144', 'anonymous'],
    ['anonymous', 'anonymous'],
  ];
  for (const [written, read] of forms) {
    assert.equal((await callIn(written)).from, read);
    people.hangUp(written);
    await untilQuiet();
  }
});

test('a number that is called is found in whatever form the trunk writes it', async () => {
  await route({ type: 'ring', targets: [newPerson()] });
  const digits = number.phone_number.slice(1);
  const forms = [
    // RFC 4694: the number is ported, and was looked up; RFC 4904: the trunk group; RFC 3966: the area where it is
    // valid.
    ...[`+${digits};npdi`, `+${digits};npdi;rn=+13035550000`, `+${digits};tgrp=a-1;trunk-context=provider.example`],
    ...[`${digits.slice(1)};phone-context=+1`, `${digits.slice(4)};phone-context=+${digits.slice(0, 4)}`],
    ...[`00${digits}`, `011${digits}`, digits, digits.slice(1)],
  ];
  const calls = forms.map((form) => ({ form, caller: newPerson() }));
  for (const { form, caller } of calls) await people.callIn(caller, form, engine.sipPort);
  for (const { form, caller } of calls) {
    const find = async () => (await inbound()).find(({ from }: Json) => from === caller);
    await until(`the call to ${form} has arrived`, async () => (await find()) !== undefined, 20_000);
    assert.equal((await find())?.to, number.phone_number, form);
    people.hangUp(caller);
  }
  await untilQuiet();
});

test('a telephone cannot vouch for a caller: the log has its call without what it asserts', async () => {
  const phone = await openPeer('127.0.0.21');
  const user = `phone-${TELEPHONE.slice(1)}`;
  const identity = 'eyJhbGciOiJFUzI1NiJ9.e30.c2ln;info=<https://certs.example/a.pem>;alg=ES256;ppt=shaken';
  const headers = [
    'P-Asserted-Identity: <sip:+13035550199;verstat=TN-Validation-Passed-A@127.0.0.1>',
    `Identity: ${identity}`,
  ];
  await route({ type: 'ring', targets: [newPerson()] });
  const to = { user: number.phone_number, port: engine.sipPort };
  const answered = phone.ask({ method: 'INVITE', user, to, password: 'red-one', headers });
  const find = async () => (await inbound()).find(({ from }: Json) => from === TELEPHONE);
  await until('the call has arrived', async () => (await find()) !== undefined, 20_000);
  const { id, attestation } = await find();
  assert.equal(attestation, null);
  const [{ type, detail }] = (await get(`/calls/${id}`)).events;
  assert.deepEqual([type, detail], ['initiated', { from: TELEPHONE, to: number.phone_number }]);
  await line.make(`/calls/${id}/hangup`, {}, 200);
  await answered;
  await untilQuiet();
});
