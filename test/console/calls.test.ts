/** Calls in the console: running calls are watched and controlled, ended calls are listened to. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { MAGIC } from '../../src/carriers/simulated/magic-numbers.ts';
import { checkAccess } from '../support/accessibility.ts';
import { logOf, ringing, route } from '../support/calls.ts';
import type { Json } from '../support/events.ts';
import { until } from '../support/jobs.ts';
import { answerLate } from '../support/late-answers.ts';
import { useConsole } from './support/open-console.ts';
import { leaveVoicemail, makeOwnAccount, type OwnAccount, pick, select, watchReloads } from './support/own-account.ts';

const console = await useConsole();
const { skip } = console;
const DANA = '+16025550143';
const DANA_SHOWN = '(602) 555-0143';
/** A phone that is answered only when the test says so. */
const SAM = '+15005550003';
const KIM = '+16025550145';

/** Places a call from Sam's desk to Dana. Both do only what the test says. */
async function placeCall({ send, line }: OwnAccount): Promise<string> {
  await answerLate(console.harness.context.db, [SAM, DANA]);
  const body = { from: line.number.id, to: DANA, connect_to: SAM, transcribe: true, record: true };
  const { id } = await send('POST', '/v1/calls', body);
  for (const number of [SAM, DANA]) await send('POST', `/v1/test/calls/${id}/take_over`, { number });
  return id;
}

/** Waits until a party rings, and answers for it. */
async function answer({ own, send }: OwnAccount, id: string): Promise<void> {
  await until('somebody rings and answers', async () => {
    await own.advance(0.5);
    return (await own.call('POST', `/v1/test/calls/${id}/answer`, { body: {} })).status === 200;
  });
  await send('GET', `/v1/calls/${id}`);
}

async function connect(desk: OwnAccount, id: string): Promise<void> {
  await answer(desk, id);
  await until('they talk', async () => {
    await desk.own.advance(0.5);
    await desk.own.call('POST', `/v1/test/calls/${id}/answer`, { body: {} });
    return (await desk.send('GET', `/v1/calls/${id}`)).status === 'in_progress';
  });
}

const press = (at: Page | Locator, name: string) => at.getByRole('button', { name, exact: true }).click();
const drawingOf = (page: Page): Locator => page.getByRole('figure', { name: 'The parties of the call over time' });
const barOf = (page: Page, name: RegExp): Locator => drawingOf(page).getByRole('img', { name }).last();
const secondsOf = (at: Locator) =>
  at
    .locator('audio')
    .first()
    .evaluate((audio) => (audio as HTMLAudioElement).currentTime);

/** Returns how loud the file of a player is at its loudest, from 0 to 1, as the browser decodes it. */
async function loudnessOf(player: Locator): Promise<number> {
  return await player.locator('audio').evaluate(async (audio) => {
    const bytes = await (await fetch((audio as HTMLAudioElement).src)).arrayBuffer();
    const { length, ...decoded } = await new OfflineAudioContext(1, 1, 8000)
      .decodeAudioData(bytes)
      .then((buffer) => ({ length: buffer.length, samples: buffer.getChannelData(0) }));
    let peak = 0;
    for (let at = 0; at < length; at += 1) peak = Math.max(peak, Math.abs(decoded.samples[at] ?? 0));
    return peak;
  });
}

test('a call is watched while it rings, is answered, talks and ends, and is heard after it', { skip }, async () => {
  const desk = await makeOwnAccount(console);
  const page = await desk.openPage('calls');
  await page.getByText('No calls yet').waitFor();
  const check = await watchReloads(page);
  const id = await placeCall(desk);
  const row = page.getByRole('table', { name: 'Calls' }).getByRole('row').nth(1);
  await row.getByText(/dialing|ringing/).waitFor();
  await row.getByRole('link', { name: DANA_SHOWN }).click();
  await page.getByRole('heading', { name: `Call to ${DANA_SHOWN}` }).waitFor();
  await connect(desk, id);
  await page.getByText('in progress').first().waitFor();
  await barOf(page, /^Agent \(500\) 555-0003: connected for /).waitFor();
  await barOf(page, /^Customer \(602\) 555-0143: connected for /).waitFor();
  await checkAccess(page);
  await page.getByText('transcription started').first().waitFor({ state: 'attached' });
  const lines = page.getByRole('list', { name: 'Transcript' });
  const say = async (speaker: string, text: string) => {
    await desk.send('POST', `/v1/test/calls/${id}/speech`, { speaker, text });
    await lines.getByText(text).waitFor();
    await desk.own.advance(3);
  };
  await say('agent', 'Desert Paws Clinic, this is Sam.');
  await say('customer', 'How is Biscuit?');
  await press(page, 'Hang up');
  await page.getByText('answered').first().waitFor();
  await page.getByRole('button', { name: 'Hang up' }).waitFor({ state: 'detached' });
  assert.equal((await desk.send('GET', `/v1/calls/${id}`)).status, 'completed');

  const player = page.getByRole('group', { name: 'Recording of the call' });
  await press(player, 'Play: Recording of the call');
  await until('it plays', async () => (await secondsOf(player)) > 0.3, 20_000);
  assert.ok((await loudnessOf(player)) > 0.01, 'the recording is silent');
  await lines.getByRole('button', { name: /How is Biscuit\?/ }).click();
  const heard = lines.locator('li[aria-current]');
  await heard.getByText('How is Biscuit?').waitFor();
  assert.ok((await secondsOf(player)) >= 2.5, 'a line plays from its place');
  await page.getByRole('slider', { name: 'Position: Recording of the call' }).press('Home');
  await until(
    'the mark follows the audio back',
    async () => !(await heard.allTextContents()).join().includes('Biscuit'),
  );
  await check();
});

test('a running call is held, resumed, spoken to and transferred by its buttons', { skip }, async () => {
  const desk = await makeOwnAccount(console);
  const id = await placeCall(desk);
  await connect(desk, id);
  const page = await desk.openPage(`calls/${id}`);
  const log = async () => logOf(await desk.send('GET', `/v1/calls/${id}`));
  const logged = (type: string) => until(type, async () => (await log()).includes(type));
  await press(page, 'Hold');
  await logged('held');
  await barOf(page, /^Customer .*: on hold for /).waitFor();
  await press(page, 'Resume');
  await logged('resumed');
  await page.getByRole('button', { name: 'Hold', exact: true }).waitFor();

  await press(page, 'Speak');
  await page.getByRole('dialog').getByRole('textbox', { name: 'Words' }).fill('One moment, please.');
  await press(page.getByRole('dialog'), 'Speak');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await until('it is spoken', async () => (await log()).some((type) => type === 'speech_started'));

  await press(page, 'Transfer');
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox', { name: 'To' }).fill('nowhere');
  await press(dialog, 'Transfer');
  await dialog.getByRole('textbox', { name: 'To' }).and(page.locator('[aria-invalid=true]')).waitFor();
  await dialog.getByRole('textbox', { name: 'To' }).fill(KIM);
  await press(dialog, 'Transfer');
  await dialog.waitFor({ state: 'detached' });
  await logged('transfer_started');
  await barOf(page, /555-0145: ringing for /).waitFor();
  await until('Kim is connected', async () => {
    await desk.own.advance(0.5);
    return (await log()).includes('transfer_completed');
  });
  await barOf(page, /555-0145: connected for /).waitFor();
  assert.match((await barOf(page, /^Agent /).getAttribute('aria-label')) ?? '', /on hold/, 'Sam is not on the call');
  await press(page, 'Hang up');
  await logged('hangup');
  await page.getByRole('button', { name: 'Transfer' }).waitFor({ state: 'detached' });
});

test('a supervisor listens to a call by its page, which says that it is recorded, and stops', { skip }, async () => {
  const desk = await makeOwnAccount(console);
  const { own, line, send } = desk;
  const { id: client } = await send('POST', '/v1/web_clients', { tenant_id: line.tenantId, name: 'Robin' });
  const id = await placeCall(desk);
  await connect(desk, id);
  const page = await desk.openPage(`calls/${id}`);
  await press(page, 'Listen');
  const dialog = page.getByRole('dialog');
  await dialog.getByText('The audit log names you').waitFor();
  await checkAccess(page);
  await pick(page, 'Web client', 'Robin');
  await select(page, 'Who hears it', 'The agent alone');
  await press(dialog, 'Listen');
  await dialog.waitFor({ state: 'detached' });
  const row = page.getByRole('table', { name: 'Listeners' }).getByRole('row').nth(1);
  await until('it listens', async () => {
    await own.advance(0.5);
    return logOf(await send('GET', `/v1/calls/${id}`)).includes('listener_started');
  });
  await row.getByRole('link', { name: 'Robin' }).waitFor();
  await row.getByText('the agent', { exact: true }).waitFor();
  await checkAccess(page, 'main');
  await press(row, 'Stop listening');
  await row.waitFor({ state: 'detached' });
  const { events } = await send('GET', `/v1/calls/${id}`);
  const details = events.flatMap(({ type, detail }: Json) => (type.startsWith('listener_') ? [detail] : []));
  assert.deepEqual(
    [details[0].web_client_id, details[0].speaks_to, details[1].reason],
    [client, 'agent', 'api_request'],
  );
  const { data } = await send('GET', '/v1/audit_log');
  const actions = data.map(({ action }: Json) => action);
  assert.ok(actions.includes('call_listener.created') && actions.includes('call_listener.deleted'), String(actions));
  await press(page, 'Hang up');
});

test('a transfer with a talk is canceled and completed by the page of its call', { skip }, async () => {
  const desk = await makeOwnAccount(console);
  const { own, send } = desk;
  const id = await placeCall(desk);
  await connect(desk, id);
  const page = await desk.openPage(`calls/${id}`);
  const dialog = page.getByRole('dialog');
  const transfers = async () =>
    logOf(await send('GET', `/v1/calls/${id}`)).filter((type) => type.startsWith('transfer_'));
  const consult = async () => {
    await press(page, 'Transfer');
    await dialog.getByRole('textbox', { name: 'To' }).fill(KIM);
    await dialog.getByText('The agent talks to the new one first').click();
    await press(dialog, 'Transfer');
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Complete transfer' }).waitFor();
    await until('Kim has answered', async () => {
      await own.advance(0.5);
      return (await transfers()).at(-1) === 'transfer_answered';
    });
  };
  await consult();
  await checkAccess(page, 'main');
  await press(page, 'Cancel transfer');
  await page.getByRole('button', { name: 'Transfer', exact: true }).waitFor();
  await consult();
  await press(page, 'Complete transfer');
  await page.getByRole('button', { name: 'Transfer', exact: true }).waitFor();
  const once = ['transfer_started', 'transfer_answered'];
  assert.deepEqual(await transfers(), [...once, 'transfer_failed', ...once, 'transfer_completed']);
  await press(page, 'Hang up');
});

test('a call that nobody answers appears as missed in the list, which is filtered by it', { skip }, async () => {
  const desk = await makeOwnAccount(console);
  const { own, line, send } = desk;
  const behavior = ringing([MAGIC.neverAnswers], { no_answer: null });
  await route(own, line, { open_behavior: behavior, closed_behavior: behavior });
  const page = await desk.openPage('calls');
  await page.getByText('No calls yet').waitFor();
  const body = { from: DANA, to: line.number.phone_number };
  const { id } = await send('POST', '/v1/test/inbound_calls', body);
  const table = page.getByRole('table', { name: 'Calls' });
  await table.getByText('ringing').waitFor();
  await send('POST', `/v1/test/calls/${id}/hangup`, { party: 'customer' });
  await own.advance(1);
  await table.getByText('missed').waitFor();

  await select(page, 'Outcome', 'answered');
  await page.getByText('No call matches the filters').waitFor();
  await select(page, 'Outcome', 'missed');
  await table.getByRole('link', { name: DANA_SHOWN }).waitFor();
  assert.match(page.url(), /outcome=missed/);
  const number = page.getByRole('textbox', { name: 'Number' });
  await number.pressSequentially('(602) 555-0199');
  assert.equal(await page.getByRole('alert').count(), 0, 'half a number is no mistake');
  await number.press('Enter');
  await page.getByText('No call matches the filters').waitFor();
  await number.fill(DANA_SHOWN);
  await number.press('Enter');
  await table.getByRole('link', { name: DANA_SHOWN }).waitFor();
  assert.match(page.url(), /external_number=%2B16025550143|external_number=\+16025550143/);
});

test('a voicemail plays in the list, with its words and links to its call and conversation', { skip }, async () => {
  const desk = await makeOwnAccount(console);
  const page = await desk.openPage('voicemails');
  await page.getByText('No voicemails yet').waitFor();
  const words = 'Hello, this is Dana. Please call me back about Biscuit.';
  const call = await leaveVoicemail(desk, words);
  const card = page.getByRole('region', { name: /^Voicemail of/ });
  await card.getByText(words).waitFor();
  const player = card.getByRole('group');
  // The player must not reach the end before it is paused.
  await player.locator('audio').evaluate((audio) => Object.assign(audio, { loop: true }));
  await player.getByRole('button', { name: /^Play/ }).click();
  await until('it plays', async () => (await secondsOf(player)) > 0.3, 20_000);
  assert.ok((await loudnessOf(player)) > 0.01, 'the voicemail is silent');
  await player.getByRole('button', { name: /^Pause/ }).click();
  const slider = player.getByRole('slider');
  await slider.press('Home');
  assert.equal(await secondsOf(player), 0);
  await slider.press('ArrowRight');
  assert.ok((await secondsOf(player)) > 1);
  await checkAccess(page);
  await card.getByRole('link', { name: 'The call' }).click();
  await page.getByRole('heading', { name: /^Call from/ }).waitFor();
  await page.getByRole('group', { name: 'Voicemail' }).waitFor();
  await page.getByText(words).waitFor();
  await page.getByRole('link', { name: 'Open the conversation' }).click();
  await page.getByRole('article', { name: 'Voicemail' }).getByText(words).waitFor();
  assert.match(page.url(), new RegExp(`/inbox/${call.conversation_id}$`));
});

test('the page of a call says why it went to the voicemail, and links to the routing as it was', { skip }, async () => {
  const desk = await makeOwnAccount(console);
  const { timezone } = await desk.send('GET', `/v1/tenants/${desk.line.tenantId}`);
  const wanted = {
    tenant_id: desk.line.tenantId,
    name: 'Front desk',
    business_hours: { schedule: [] },
    open_behavior: ringing([KIM]),
  };
  const config = await desk.send('POST', '/v1/routing_configs', wanted);
  await desk.send('PATCH', `/v1/phone_numbers/${desk.line.number.id}`, { routing_config_id: config.id });
  const body = { from: DANA, to: desk.line.number.phone_number };
  const { id } = await desk.send('POST', '/v1/test/inbound_calls', body);
  const { route: decided } = await desk.send('GET', `/v1/calls/${id}`);
  assert.deepEqual([decided.branch, decided.reason], ['closed', 'closed']);
  const changed = { ...wanted, name: 'New desk', business_hours: null };
  await desk.send('PUT', `/v1/routing_configs/${config.id}`, changed);
  const page = await desk.openPage(`calls/${id}`);
  const time = Temporal.Instant.from(decided.at).toZonedDateTimeISO(timezone).toPlainTime().toString().slice(0, 5);
  await page.getByText(`Closed at ${time} (Front desk, ${timezone})`).waitFor();
  await checkAccess(page);
  await page.getByRole('link', { name: 'Front desk' }).click();
  await page.waitForURL((url) => url.pathname.endsWith(`/routing/${config.id}`));
  const rows = page.getByRole('table', { name: 'This routing has been changed since this moment' }).getByRole('row');
  await rows.filter({ hasText: /^NameFront deskNew desk$/ }).waitFor();
  await rows.filter({ hasText: /^HoursNever openAt all hours$/ }).waitFor();
  assert.equal(await rows.count(), 3);
  await checkAccess(page);
});
