/** Announcements before a call, quiet hours, and the alarm when 911 is dialled. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { MAGIC } from '../../src/carriers/simulated/magic-numbers.ts';
import { checkAccess } from '../support/accessibility.ts';
import { ringing, route } from '../support/calls.ts';
import type { Json } from '../support/events.ts';
import { until } from '../support/jobs.ts';
import { newPerson } from '../support/messages.ts';
import { logIn } from '../support/web-clients.ts';
import { useConsole } from './support/open-console.ts';
import { makeOwnAccount, type OwnAccount, pick, select } from './support/own-account.ts';

const console = await useConsole();
const { skip } = console;
const DESK = { type: 'ring', targets: ['+16025550143'] };
const EVERY_DAY = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];

const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).first().click();

/** Presses the button of a text, and returns the seconds that are heard. */
async function hear(page: Page, what: string): Promise<number> {
  const group = page.getByRole('group', { name: `Audio: ${what}` }).first();
  const reply = page.waitForResponse((each) => each.url().endsWith('/console/api/speech'));
  await group.getByRole('button', { name: `Hear it: ${what}` }).click();
  assert.equal((await reply).status(), 200);
  const audio = group.locator('audio');
  const seconds = () => audio.evaluate(({ played, duration }: HTMLAudioElement) => (played.length > 0 ? duration : 0));
  await until('it is heard', async () => (await seconds()) > 0);
  return await seconds();
}

test('announcements and greetings are heard in the routing editor as they will be spoken', { skip }, async () => {
  const desk = await makeOwnAccount(console);
  const closed_behavior = { type: 'voicemail', greeting_text: 'Please leave a message after the tone.' };
  const hours = { schedule: [{ days: ['mon'], open: '09:00', close: '17:00' }] };
  const body = { tenant_id: desk.line.tenantId, name: 'Front desk', open_behavior: DESK, business_hours: hours };
  const config = await desk.send('POST', '/v1/routing_configs', { ...body, closed_behavior });
  const page = await desk.openPage(`routing/${config.id}`);
  assert.ok((await hear(page, 'greeting')) > 1);
  const announcement = page.getByRole('button', { name: 'Hear it: announcement' });
  assert.equal(await announcement.isDisabled(), true, 'there is none yet');
  await page.getByText('Record the calls').click();
  const ofRecording = await hear(page, 'announcement');
  assert.ok(ofRecording > 1);
  await page.getByLabel('Announcement before software listens').fill('An assistant of the clinic answers this call.');
  assert.ok((await hear(page, 'announcement')) > ofRecording + 1, 'both are one announcement');
  await checkAccess(page);
});

test('before a call a person is told of an opt-out, and may call all the same', { skip }, async () => {
  const desk = await makeOwnAccount(console);
  const to = newPerson();
  const { tenantId: tenant_id } = desk.line;
  await desk.send('POST', '/v1/opt_outs', { tenant_id, external_number: to, channels: ['call'] });
  const page = await desk.openPage('calls');
  await press(page, 'New call');
  const dialog = page.getByRole('dialog');
  await pick(page, 'From', desk.line.number.phone_number.slice(-4));
  await dialog.getByLabel('To', { exact: true }).fill(to);
  await dialog.getByLabel('Your telephone').fill(MAGIC.neverAnswers);
  await dialog.getByRole('button', { name: 'Call', exact: true }).click();
  await dialog.getByText(/has opted out of calls where software speaks/).waitFor();
  assert.equal((await desk.send('GET', '/v1/calls')).data.length, 0);
  await checkAccess(page);
  await dialog.getByRole('button', { name: 'Call anyway' }).click();
  await page.getByRole('heading', { name: /^Call to/ }).waitFor();
  assert.equal((await desk.send('GET', '/v1/calls')).data[0].to, to);
});

async function openTenant(desk: OwnAccount): Promise<Page> {
  const page = await desk.openPage(`tenants/${desk.line.tenantId}`);
  await page.getByRole('button', { name: 'Save' }).waitFor();
  return page;
}

const tenantOf = (desk: OwnAccount): Promise<Json> => desk.send('GET', `/v1/tenants/${desk.line.tenantId}`);

/** Saves the settings of a tenant. */
async function save(page: Page): Promise<void> {
  await press(page, 'Save');
  await page
    .getByText(/is saved\.$/)
    .first()
    .waitFor();
}

test('quiet hours are set by weekday, with the texts that they apply to, and taken away', { skip }, async () => {
  const desk = await makeOwnAccount(console);
  const page = await openTenant(desk);
  await select(page, 'Texts wait', 'By weekday');
  await select(page, 'They apply to', 'all texts');
  await select(page, 'By the clock', 'of the tenant');
  const first = page.getByRole('group', { name: 'Hours 1' });
  for (const day of ['Mon', 'Wed']) await first.getByText(day).click();
  await first.getByLabel('From').fill('20:00');
  await press(page, 'Add hours');
  const second = page.getByRole('group', { name: 'Hours 2' });
  for (const day of ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']) await second.getByText(day).click();
  await second.getByLabel('From').fill('12:00');
  await second.getByLabel('Until').fill('00:00');
  await checkAccess(page);
  await save(page);
  assert.deepEqual((await tenantOf(desk)).quiet_hours, {
    schedule: [
      { days: ['tue', 'thu', 'fri'], start: '20:00', end: '08:00' },
      { days: ['sat', 'sun'], start: '12:00', end: '24:00' },
    ],
    zone: 'tenant',
    applies_to: 'all',
  });
  await page.reload();
  assert.equal(await page.getByRole('group', { name: 'Hours 2' }).getByLabel('From').inputValue(), '12:00');
  await select(page, 'Texts wait', 'None');
  await save(page);
  assert.equal((await tenantOf(desk)).quiet_hours, null);
});

test('quiet hours without a day are refused at their fields, and nothing is changed', { skip }, async () => {
  const desk = await makeOwnAccount(console);
  const quiet_hours = { schedule: [{ days: EVERY_DAY, start: '21:00', end: '08:00' }], zone: 'recipient' };
  await desk.send('PATCH', `/v1/tenants/${desk.line.tenantId}`, { quiet_hours });
  const before = (await tenantOf(desk)).quiet_hours;
  const page = await openTenant(desk);
  await page.getByRole('group', { name: 'Hours 1' }).getByLabel('Until').fill('');
  await press(page, 'Save');
  await page.getByRole('group', { name: 'Hours 1' }).getByText('This is required.').waitFor();
  assert.deepEqual((await tenantOf(desk)).quiet_hours, before);
});

test('when 911 is dialled, each page says who calls and from where until it is seen', { skip }, async () => {
  const desk = await makeOwnAccount(console);
  const { line, own, send } = desk;
  const place = { street: '4200 E Camelback Rd', city: 'Phoenix', state: 'AZ', postal_code: '85018' };
  const address = await send('POST', '/v1/e911_addresses', { tenant_id: line.tenantId, ...place });
  const fields = { tenant_id: line.tenantId, name: 'Reception', e911_address_id: address.id };
  const client = await send('POST', '/v1/web_clients', fields);
  await route(own, line, { open_behavior: ringing([client.id]) });
  const page = await desk.openPage('');
  // The page shows this once it gets events.
  await page.getByText('live', { exact: true }).waitFor();
  await page.getByRole('link', { name: 'Tenants' }).first().click();
  await page.getByRole('heading', { name: 'Tenants', level: 1 }).waitFor();
  const phone = await logIn(own, client.id);
  phone.send({ type: 'place', to: '911' });
  const alarm = page.getByRole('alert').filter({ hasText: '911' });
  await alarm.getByText('911: Reception calls for help').waitFor();
  await alarm.getByText(/4200 E Camelback Rd, Phoenix, AZ 85018/).waitFor();
  await checkAccess(page);
  await page.getByRole('link', { name: 'Texts' }).first().click();
  await page.getByRole('heading', { name: 'Texts', exact: true, level: 1 }).waitFor();
  await alarm.waitFor();
  await alarm.getByRole('button', { name: 'I have seen it' }).click();
  await alarm.waitFor({ state: 'detached' });
  await phone.close();
});

test('a call to 911 before the event socket of the page opens raises the alarm, also after a reload until it is seen', {
  skip,
}, async () => {
  const desk = await makeOwnAccount(console);
  const client = await desk.send('POST', '/v1/web_clients', { tenant_id: desk.line.tenantId, name: 'Reception' });
  await route(desk.own, desk.line, { open_behavior: ringing([client.id]) });
  const page = await desk.openPage('tenants');
  await page.getByRole('heading', { name: 'Tenants', level: 1 }).waitFor();
  // The page gets no token for its socket until 911 is dialled.
  const { promise: dialled, resolve: letSocketOpen } = Promise.withResolvers<void>();
  await page.route('**/realtime/tokens', async (asked) => {
    await dialled;
    await asked.continue();
  });
  const firstRead = page.waitForResponse(/events\?.*emergency_call/);
  await page.reload();
  await firstRead;
  const phone = await logIn(desk.own, client.id);
  phone.send({ type: 'place', to: '911' });
  await until('the call has its event', async () => {
    const { data } = await desk.send('GET', '/v1/events?type=emergency_call.placed');
    return data.length === 1;
  });
  letSocketOpen();
  const alarm = page.getByRole('alert').filter({ hasText: '911' });
  await alarm.getByText('911: Reception calls for help').waitFor();
  await page.reload();
  await alarm.getByRole('button', { name: 'I have seen it' }).click();
  await alarm.waitFor({ state: 'detached' });
  const secondRead = page.waitForResponse(/events\?.*emergency_call/);
  await page.reload();
  await secondRead;
  await page.getByRole('row', { name: /./ }).first().waitFor();
  assert.equal(await alarm.count(), 0);
  await phone.close();
});
