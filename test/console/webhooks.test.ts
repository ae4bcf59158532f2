/** Webhooks, the event log and the request log. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { today } from '../../src/lib/time/time.ts';
import { checkAccess } from '../support/accessibility.ts';
import type { Json } from '../support/events.ts';
import { until } from '../support/jobs.ts';
import { buyNumber } from '../support/numbers.ts';
import { assertSigned, isSignedWith, type Receiver, useReceiver } from '../support/receiver.ts';
import { useConsole } from './support/open-console.ts';
import { makeOwnAccount, type OwnAccount, select } from './support/own-account.ts';

const console = await useConsole();
const { harness, skip } = console;
const DANA = '+16025550143';

type Desk = OwnAccount & { receiver: Receiver; endpoint: Json; page: Page };

/** An endpoint whose deliveries are all answered with 200, and its page. */
async function makeEndpoint(): Promise<Desk> {
  const desk = await makeOwnAccount(console);
  const receiver = await useReceiver();
  const endpoint = await desk.send('POST', '/v1/webhook_endpoints', { url: receiver.url });
  const page = await desk.openPage(`webhooks/${endpoint.id}`);
  await page.getByRole('heading', { name: receiver.url }).waitFor();
  return { ...desk, receiver, endpoint, page };
}

const press = (at: Page | Locator, name: string) => at.getByRole('button', { name, exact: true }).click();
const tableOf = (page: Page, name: string): Locator => page.getByRole('table', { name, exact: true });
const textOf = async (at: Locator) => ((await at.textContent()) ?? '').trim();
const receive = ({ send, line }: OwnAccount, body: string) =>
  send('POST', '/v1/test/inbound_messages', { from: DANA, to: line.number.phone_number, body });

test('an endpoint is made, its secret is shown once, and it verifies what the endpoint gets', { skip }, async () => {
  const desk = await makeOwnAccount(console);
  const receiver = await useReceiver();
  const page = await desk.openPage('webhooks');
  await page.getByText('No endpoints yet').waitFor();
  await page.getByRole('button', { name: 'New endpoint' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'New endpoint' });
  await dialog.getByRole('textbox', { name: 'Address' }).fill('ftp://example.com');
  await dialog.getByRole('textbox', { name: 'Event types' }).fill('message.received, message.delivered');
  await press(dialog, 'Make the endpoint');
  await dialog.getByRole('textbox', { name: 'Address' }).and(page.locator('[aria-invalid=true]')).waitFor();
  await dialog.getByRole('textbox', { name: 'Address' }).fill(receiver.url);
  await press(dialog, 'Make the endpoint');
  const secret = await textOf(dialog.getByRole('region', { name: 'The secret' }));
  assert.match(secret, /^whsec_/);
  await press(dialog, 'I have stored it');
  await tableOf(page, 'Endpoints').getByText('message.received, message.delivered').waitFor();
  await tableOf(page, 'Endpoints').getByRole('link', { name: receiver.url }).click();
  await page.getByRole('heading', { name: receiver.url }).waitFor();
  assert.ok(!(await page.content()).includes(secret));
  await receive(desk, 'Is Biscuit ready?');
  await receiver.arrived(1);
  assertSigned(receiver.received[0] as never, secret);
  await tableOf(page, 'Deliveries').getByText('message.received').waitFor();
});

test('a failing delivery shows request and answer of each attempt, and is retried until it arrives', {
  skip,
}, async () => {
  const desk = await makeEndpoint();
  const { receiver, page } = desk;
  receiver.answer({ status: 503, body: 'Busy <b>now</b>', headers: { 'retry-after': '1' } });
  await receive(desk, 'Is Biscuit ready?');
  const table = tableOf(page, 'Deliveries');
  await table.getByText('503').waitFor();
  await table.getByRole('link', { name: 'message.received' }).click();
  await page.getByRole('heading', { name: 'Delivery of message.received' }).waitFor();
  const first = page.getByRole('region', { name: 'Attempt 1' });
  await first.getByText('503', { exact: true }).waitFor();
  await first.getByRole('region', { name: 'Headers of the answer' }).getByText('retry-after: 1').waitFor();
  await first.getByRole('region', { name: 'Body of the answer' }).getByText('Busy <b>now</b>').waitFor();
  const headers = await textOf(first.getByRole('region', { name: 'Headers of the request' }));
  assert.match(headers, /webhook-id/i);
  await page.getByText('Body of the request', { exact: true }).click();
  const sent = JSON.parse(await textOf(page.getByRole('region', { name: 'Body of the request', exact: true }).last()));
  assert.deepEqual([sent.type, sent.data.body], ['message.received', 'Is Biscuit ready?']);
  await checkAccess(page);
  receiver.answer({ status: 200 });
  await press(page, 'Try again');
  await page.getByText('delivered', { exact: true }).first().waitFor();
  const attempts = page.getByRole('heading', { name: /^Attempt \d+$/ });
  const titles = await attempts.allTextContents();
  assert.deepEqual(titles.slice(-2), ['Attempt 2', 'Attempt 1'], 'the newest attempt is not the first');
  const [{ id }] = (await desk.send('GET', `/v1/webhook_endpoints/${desk.endpoint.id}/deliveries`)).data;
  assert.ok(page.url().endsWith(`/webhooks/${desk.endpoint.id}/deliveries/${id}`), page.url());
  await page.reload();
  await page.getByRole('button', { name: 'Copy the id' }).waitFor();
  await page.getByText(id, { exact: true }).waitFor();
  await page.getByRole('link', { name: receiver.url }).click();
  await table.getByText('delivered', { exact: true }).waitFor();
});

test('a delivery names its event and resource, has its attempts before its body, and the next one waits for it', {
  skip,
}, async () => {
  const desk = await makeEndpoint();
  const { receiver, page, send } = desk;
  receiver.answer({ status: 503 });
  const call = { from: DANA, to: desk.line.number.phone_number };
  const { id } = await send('POST', '/v1/test/inbound_calls', call);
  await send('POST', `/v1/test/calls/${id}/hangup`, { party: 'customer' });
  const table = tableOf(page, 'Deliveries');
  await table.getByText('503').waitFor();
  await table.getByText('waits for the previous delivery').first().waitFor();
  await table.getByRole('row').last().getByRole('link').click();
  await page.getByRole('heading', { name: 'Delivery of call.' }).waitFor();
  await page.getByRole('link', { name: id }).waitFor();
  await page.getByRole('link', { name: /^evt_/ }).waitFor();
  const topOf = async (part: Locator) => (await part.boundingBox())?.y ?? Number.NaN;
  const attempt = page.locator('role=region[name=/^Attempt/] >> nth=0');
  await until('the attempts are near the top', async () => (await topOf(attempt)) < 500);
  assert.ok((await topOf(page.getByText('Body of the request', { exact: true }))) > (await topOf(attempt)));
  await page.goBack();
  await table.getByRole('row').nth(1).getByRole('link').click();
  await page.getByText(/^It waits for the previous delivery/).waitFor();
  await checkAccess(page);
  await page.goBack();
  // This delivery is retried automatically, so a replay of missed events leaves it out.
  await press(page, 'Replay events');
  await page
    .getByRole('dialog')
    .getByText(/Deliveries that are still retried are left out/)
    .waitFor();
  await page.getByRole('dialog').getByRole('textbox', { name: 'From' }).fill('2025-11-23T10:00:00Z');
  await press(page.getByRole('dialog'), 'Replay');
  const times = tableOf(page, 'Replays').locator('time');
  await times.nth(1).waitFor();
  for (const cell of await tableOf(page, 'Replays').locator('[role=cell]:has(time)').all()) {
    const cut = await cell.evaluate((node) => node.scrollWidth - node.clientWidth);
    assert.ok(cut <= 0, `${cut} px of the time are cut`);
  }
});

test('a delivery has the time of its latest attempt in the zone of the browser, and names the zone', {
  skip,
}, async () => {
  const desk = await makeEndpoint();
  await receive(desk, 'Is Biscuit ready?');
  const path = `/v1/webhook_endpoints/${desk.endpoint.id}/deliveries`;
  await until('it is delivered', async () => (await desk.send('GET', path)).data[0]?.status === 'delivered');
  const [{ attempts }] = (await desk.send('GET', path)).data;
  const zones = { 'Asia/Kolkata': 'GMT+5:30' };
  for (const [timezoneId, zone] of Object.entries(zones)) {
    const address = `/console/test/${desk.account.id}/webhooks/${desk.endpoint.id}`;
    const page = await console.open(address, { timezoneId, locale: 'en-US' });
    await tableOf(page, 'Deliveries').getByRole('columnheader', { name: 'Latest attempt' }).waitFor();
    const time = tableOf(page, 'Deliveries').locator(`time[datetime="${attempts[0].at}"]`);
    const day = new Date(attempts[0].at).toLocaleString('en-US', {
      timeZone: timezoneId,
      month: 'short',
      day: 'numeric',
    });
    const clock = new Date(attempts[0].at).toLocaleTimeString('en-US', {
      ...{ timeZone: timezoneId, hour: '2-digit', minute: '2-digit', second: '2-digit' },
    });
    assert.equal(await textOf(time), `${day}, ${clock} ${zone}`);
    for (const width of [1280, 800, 360]) {
      await page.setViewportSize({ width, height: 800 });
      const cell = time.locator('xpath=ancestor::*[@role="cell"]');
      const cut = await cell.evaluate((node) => node.scrollWidth - node.clientWidth);
      assert.ok(cut <= 0, `${cut} px of the time are cut in a window of ${width} px`);
    }
  }
});

test('an endpoint gets another address and other events, and mistakes are shown at their fields', {
  skip,
}, async () => {
  const desk = await makeEndpoint();
  const { send, receiver, endpoint, page } = desk;
  const second = await useReceiver();
  await press(page, 'Edit');
  const dialog = page.getByRole('dialog', { name: 'Edit the endpoint' });
  const address = dialog.getByRole('textbox', { name: 'Address' });
  const types = dialog.getByRole('textbox', { name: 'Event types' });
  assert.equal(await address.inputValue(), receiver.url);
  await types.fill('message.received, message.eaten');
  await press(dialog, 'Save');
  await types.and(page.locator('[aria-invalid=true]')).waitFor();
  await dialog.getByText(/^Entry 2: /).waitFor();
  await checkAccess(page);
  await types.fill('message.received');
  await address.fill('ftp://example.com');
  await press(dialog, 'Save');
  await address.and(page.locator('[aria-invalid=true]')).waitFor();
  await address.fill('');
  await press(dialog, 'Save');
  await dialog.getByText('This is required.').waitFor();
  await address.fill(second.url);
  await press(dialog, 'Save');
  await page.getByRole('heading', { name: second.url }).waitFor();
  await page.getByRole('region', { name: 'Endpoint' }).getByText('message.received', { exact: true }).waitFor();
  await receive(desk, 'Is Biscuit ready?');
  await second.arrived(1);
  await receive(desk, 'STOP');
  await second.arrived(2);
  assert.deepEqual(
    second.received.map(({ event }) => event.type),
    ['message.received', 'message.received'],
  );
  assert.deepEqual(receiver.received, []);
  // Without types it gets all events again.
  await press(page, 'Edit');
  await types.fill('');
  await press(dialog, 'Save');
  await page.getByRole('region', { name: 'Endpoint' }).getByText('all', { exact: true }).waitFor();
  const { url, enabled_events } = await send('GET', `/v1/webhook_endpoints/${endpoint.id}`);
  assert.deepEqual({ url, enabled_events }, { url: second.url, enabled_events: null });
});

test('a replay of a time brings its events to the receiver again', { skip }, async () => {
  const desk = await makeEndpoint();
  const { receiver, page } = desk;
  await receive(desk, 'One');
  await receiver.arrived(1);
  await until('it is delivered', async () => (await tableOf(page, 'Deliveries').getByText('delivered').count()) > 0);
  await press(page, 'Replay events');
  const dialog = page.getByRole('dialog', { name: 'Replay events' });
  await dialog.getByRole('textbox', { name: 'From' }).fill('yesterday');
  await press(dialog, 'Replay');
  await dialog.getByRole('textbox', { name: 'From' }).and(page.locator('[aria-invalid=true]')).waitFor();
  const [{ created_at }] = (await desk.send('GET', '/v1/events?type=message.received')).data;
  await dialog.getByRole('textbox', { name: 'From' }).fill(created_at);
  await dialog.getByRole('textbox', { name: 'Event types' }).fill('message.received');
  await dialog.getByText('Only what the endpoint has not accepted').click();
  await press(dialog, 'Replay');
  await receiver.arrived(2);
  const [first, again] = receiver.received;
  assert.deepEqual(again?.event, first?.event);
  const replays = tableOf(page, 'Replays');
  await replays.getByText('completed').waitFor();
  assert.equal(
    await textOf(replays.getByRole('row').nth(1).getByRole('cell').nth(4).locator(':scope > span').last()),
    '1',
  );
});

test('a list that begins far down a page is drawn from its first row', { skip }, async () => {
  const { send, endpoint, page } = await makeEndpoint();
  const start = today().toISOString();
  const path = `/v1/webhook_endpoints/${endpoint.id}/replays`;
  for (let times = 0; times < 15; times += 1) {
    const { id } = await send('POST', path, { start });
    await until('it has run', async () => (await send('GET', `${path}/${id}`)).status === 'completed');
  }
  const rows = tableOf(page, 'Replays').getByRole('row');
  await rows.last().waitFor();
  await page.setViewportSize({ width: 1280, height: 400 });
  const top = await tableOf(page, 'Replays').evaluate((table) => table.getBoundingClientRect().top + scrollY);
  assert.ok(top > 450, `the list begins at ${top} px`);
  await page.evaluate((at) => scrollTo(0, at - 100), top);
  const first = tableOf(page, 'Replays').locator('[aria-rowindex="2"]');
  await first.waitFor();
  const { y } = (await first.boundingBox()) ?? assert.fail('it has no place');
  assert.ok(y > 0 && y < 400, `it is at ${y} px of the window`);
});

test('a rotated secret is shown once, and signs beside the one before', { skip }, async () => {
  const desk = await makeEndpoint();
  const { receiver, page, endpoint } = desk;
  const rotate = async () => {
    await press(page, 'Rotate the secret');
    await press(page.getByRole('dialog', { name: 'Rotate the secret' }), 'Rotate');
    const dialog = page.getByRole('dialog', { name: 'The new secret' });
    const secret = await textOf(dialog.getByRole('region', { name: 'The secret' }));
    await press(dialog, 'I have stored it');
    await dialog.waitFor({ state: 'detached' });
    return secret;
  };
  const second = await rotate();
  assert.notEqual(second, endpoint.secret);
  await press(page, 'Send a test');
  await page.getByText('The endpoint answered 200.').waitFor();
  const [delivery] = receiver.received as [Receiver['received'][number]];
  assert.ok(isSignedWith(delivery, second) && isSignedWith(delivery, endpoint.secret));
  receiver.answer({ status: 404 });
  await press(page, 'Send a test');
  await page.getByText('The endpoint did not accept the test: it answered 404.').waitFor();
  const third = await rotate();
  assert.notEqual(third, second);
});

test('what an endpoint misses while it is turned off arrives when it is turned on; it goes when it is deleted', {
  skip,
}, async () => {
  const desk = await makeEndpoint();
  const { receiver, page } = desk;
  await press(page, 'Turn off');
  await page.getByText('disabled', { exact: true }).waitFor();
  await receive(desk, 'One');
  await page.getByText('Off because').waitFor();
  assert.deepEqual(receiver.received, []);
  await press(page, 'Turn on');
  await page.getByText('active', { exact: true }).waitFor();
  await until('it arrived', () => receiver.received.some(({ event }) => event.data['body'] === 'One'));
  await press(page, 'Delete');
  await press(page.getByRole('dialog'), 'Delete');
  await page.getByText('No endpoints yet').waitFor();
});

test('the event log follows, and its filters and entries have addresses of their own', { skip }, async () => {
  const desk = await makeOwnAccount(console);
  const { id } = await receive(desk, 'One');
  const page = await desk.openPage('events');
  const table = tableOf(page, 'Events');
  await table.getByRole('link', { name: 'message.received' }).waitFor();
  await receive(desk, 'STOP');
  await table.getByRole('link', { name: 'opt_out.created' }).waitFor();
  const type = page.getByRole('combobox', { name: 'Type' });
  await type.pressSequentially('age.rec');
  await page.getByRole('option', { name: 'message.received' }).click();
  await table.getByText('opt_out.created').waitFor({ state: 'detached' });
  await page.reload();
  await table.getByRole('link', { name: 'message.received' }).first().waitFor();
  assert.equal(await type.inputValue(), 'message.received');
  assert.equal(await table.getByText('opt_out.created').count(), 0);
  await page.getByRole('textbox', { name: 'Resource' }).fill(id);
  await until('one is left', async () => (await table.getByRole('link').count()) === 1);
  await table.getByRole('link').click();
  const envelope = page.getByRole('region', { name: 'The event as JSON' });
  const [event] = (await desk.send('GET', `/v1/events?resource_id=${id}`)).data;
  assert.deepEqual(JSON.parse(await textOf(envelope)), event);
  const { href } = await page.evaluate(() => ({ href: location.href }));
  await page.goto('about:blank');
  await page.goto(href);
  assert.deepEqual(JSON.parse(await textOf(envelope)), event);
  await page.getByRole('link', { name: id }).click();
  await page.getByRole('heading', { name: 'Text', level: 1 }).waitFor();
});

test('the events of tenants of several zones and of none have their times in one zone, which is named', {
  skip,
}, async () => {
  const desk = await makeOwnAccount(console);
  const zones = ['Asia/Kolkata', 'America/Phoenix'];
  for (const timezone of zones) {
    const { id } = await desk.send('POST', '/v1/tenants', { name: timezone, timezone });
    const { phone_number: to } = await buyNumber(desk.own, id, desk.account.test_key);
    await desk.send('POST', '/v1/test/inbound_messages', { from: DANA, to, body: 'Hello' });
  }
  const { account } = desk;
  const page = await console.open('events', { account, timezoneId: 'America/New_York', locale: 'en-US' });
  const table = tableOf(page, 'Events');
  await table.getByRole('row').nth(2).waitFor();
  for (const time of await table.locator('time').all()) {
    const at = new Date((await time.getAttribute('datetime')) ?? '');
    const look = { timeZone: 'America/New_York', hour: '2-digit', minute: '2-digit', second: '2-digit' } as const;
    assert.ok((await textOf(time)).endsWith(at.toLocaleTimeString('en-US', { ...look, timeZoneName: 'short' })));
    assert.match((await time.getAttribute('title')) ?? '', /UTC/);
  }
});

test('an event is sent again to the endpoint, with the same id', { skip }, async () => {
  const desk = await makeEndpoint();
  await receive(desk, 'One');
  await desk.receiver.arrived(1);
  const [{ id }] = (await desk.send('GET', '/v1/events?type=message.received')).data;
  const page = await desk.openPage(`events/${id}`);
  await press(page, 'Send again');
  await press(page.getByRole('dialog'), 'Send again');
  await desk.receiver.arrived(2);
  assert.deepEqual(
    desk.receiver.received.map(({ event }) => event.id),
    [id, id],
  );
});

test('the request log follows, is filtered, and leads to the request and its code', { skip }, async () => {
  const desk = await makeOwnAccount(console);
  const page = await desk.openPage('requests');
  const table = tableOf(page, 'Requests');
  await table.getByText('POST /v1/phone_numbers').waitFor();
  const body = { from: desk.line.number.id, to: 'nobody', body: 'Hello' };
  const refused = await harness.call('POST', '/v1/messages', { key: desk.account.test_key, body });
  const code = refused.body.error.code;
  await table.getByText('POST /v1/messages').waitFor();
  await page.getByRole('textbox', { name: 'Status' }).pressSequentially('4xx');
  assert.equal(await page.getByRole('alert').count(), 0, 'half a status is no mistake');
  await table.getByText('POST /v1/phone_numbers').waitFor({ state: 'detached' });
  await page.getByRole('textbox', { name: 'Error code' }).pressSequentially('recipient_opted_out');
  await page.getByText('No requests').waitFor();
  await page.getByRole('textbox', { name: 'Error code' }).fill(code);
  await table.getByText('POST /v1/messages').waitFor();
  await page.getByRole('textbox', { name: 'Route' }).pressSequentially('/v1/calls');
  await page.getByText('No requests').waitFor();
  await page.getByRole('textbox', { name: 'Route' }).fill('');
  await table.getByText('POST /v1/messages').waitFor();
  await select(page, 'Method', 'POST');
  await page.reload();
  await table.getByRole('link', { name: 'POST /v1/messages' }).click();
  const error = page.getByRole('link', { name: code });
  await error.waitFor();
  assert.match((await error.getAttribute('href')) ?? '', new RegExp(`/docs/errors/${code}$`));
  await page.getByText(refused.body.error.request_id).first().waitFor();
});
