/** The phone for pages of a platform, on a page of another origin under a strict policy. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { checkAccess } from '../support/accessibility.ts';
import { beepsIn } from '../support/beeps.ts';
import { useBrowser, useReachableHarness } from '../support/browser.ts';
import { callIn, readCall, ringing, route } from '../support/calls.ts';
import { noChromium } from '../support/chromium.ts';
import { mintSession, openEmbed } from '../support/embeds.ts';
import { type Json, listEvents } from '../support/events.ts';
import { until } from '../support/jobs.ts';
import { talkLonger } from '../support/late-answers.ts';
import { type Line, makeLine } from '../support/numbers.ts';
import { listen } from '../support/recordings.ts';
import { makeWebClient } from '../support/web-clients.ts';

const LIMIT_MS = 20_000;

const harness = await useReachableHarness();
const browser = await useBrowser(harness);
// A page on a busy machine may take longer than people talk.
if (noChromium === false) await talkLonger(harness.context.db);

describe('<dialplane-phone>', { skip: noChromium }, () => {
  async function openPhone(fields: object = {}, options: object = {}) {
    const line: Line = await makeLine(harness);
    const { id } = await makeWebClient(harness, line.tenantId);
    const recording = { enabled: true, consent_announcement: false };
    await route(harness, line, { open_behavior: ringing([id]), recording });
    const embed = await openEmbed({ browser, harness, name: 'phone', width: 420, ...options });
    await embed.page.evaluate(TAP);
    await embed.setSession(await mintSession(harness, line.tenantId, { web_client_id: id, ...fields }));
    await embed.page.getByText('Ready').waitFor();
    return { ...embed, line, webClientId: id };
  }
  const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();

  test('a call rings, is answered, heard both ways, muted, keyed and hung up', async () => {
    const { page, line, webClientId, close } = await openPhone();
    const { id } = await callIn(harness, line, { from: '+16025550143' });
    await page.getByText('Incoming call from').waitFor();
    await page.getByText('(602) 555-0143').last().waitFor();
    await checkAccess(page);
    await page.evaluate(QUALITY);
    await press(page, 'Answer');
    await page.getByRole('timer').waitFor();
    assert.equal((await readCall(harness, id)).answered_by, `web_client:${webClientId}`);
    await until('the page plays the customer', async () => Number(await page.evaluate('heard()')) > 0.002, LIMIT_MS);
    await press(page, 'Keypad');
    await press(page, '4');
    const keyed = async () => (await listEvents(harness, id)).some(({ type, data }: Json) => isDigit(type, data));
    await until('the digit arrives', keyed, LIMIT_MS);
    await checkAccess(page);
    await until(
      'the timer counts',
      async () => /0:0[3-9]/.test((await page.getByRole('timer').textContent()) ?? ''),
      LIMIT_MS,
    );
    const quality = () => page.evaluate<Json>('quality');
    await until('the page is told the quality', async () => (await quality()) !== null, LIMIT_MS);
    const { id: callId, lossPercent, jitterMs, roundTripMs } = await quality();
    assert.equal(callId, id);
    assert.ok(
      lossPercent >= 0 && lossPercent <= 100 && jitterMs >= 0 && roundTripMs > 0,
      JSON.stringify(await quality()),
    );
    await press(page, 'Mute');
    await page.getByRole('button', { name: 'Mute', pressed: true }).waitFor();
    await press(page, 'Hang up');
    await page.getByText('ended,').waitFor();
    await until('there is a recording', async () => (await readCall(harness, id)).recording_id !== null, LIMIT_MS);
    const { recording_id } = await readCall(harness, id);
    // The microphone of the browser beeps.
    assert.ok(beepsIn(await listen(harness, `/v1/recordings/${recording_id}/audio`)).length >= 2);
    await close();
  });

  test('a ring shows the name of the contact, and only the number to a session that may read no contacts', async () => {
    const open = async (abilities: readonly string[]) => {
      const embed = await openPhone({ abilities });
      const body = { tenant_id: embed.line.tenantId, name: 'Sam Ortiz', phone_numbers: ['+16025550143'] };
      assert.equal((await harness.call('POST', '/v1/contacts', { body })).status, 201);
      await callIn(harness, embed.line, { from: '+16025550143' });
      await embed.page.getByText('(602) 555-0143').last().waitFor();
      return embed;
    };
    const named = await open(['phone', 'conversations:read']);
    await named.page.getByText('Sam Ortiz').last().waitFor();
    await checkAccess(named.page);
    await press(named.page, 'Decline');
    await named.page.getByText('Call with Sam Ortiz ended').waitFor();
    await named.close();
    const unnamed = await open(['phone']);
    await press(unnamed.page, 'Decline');
    await unnamed.page.getByText('Call with (602) 555-0143 ended').waitFor();
    await unnamed.close();
  });

  test('a call is declined', async () => {
    const { page, line, close } = await openPhone();
    const { id } = await callIn(harness, line);
    await press(page, 'Decline');
    await page.getByRole('textbox', { name: 'Number' }).waitFor();
    const next = async () => (await readCall(harness, id)).answered_by === 'voicemail';
    await until('the call goes on to the voicemail', next, LIMIT_MS);
    await close();
  });

  test('a customer is dialled as people write numbers, held, and hung up', async () => {
    const { page, line, close } = await openPhone({}, { colorScheme: 'dark' });
    await page.getByRole('textbox', { name: 'Number' }).fill('(602) 555-2999');
    await press(page, 'Call');
    await page.getByText('Connected with').waitFor();
    const { data } = (await harness.call('GET', `/v1/calls?tenant_id=${line.tenantId}`)).body;
    assert.deepEqual([data[0].direction, data[0].to], ['outbound', '+16025552999']);
    await press(page, 'Hold');
    await page.getByText('On hold with').waitFor();
    await checkAccess(page);
    await press(page, 'Hang up');
    await page.getByText('ended').waitFor();
    await checkAccess(page);
    await close();
  });

  test('a customer is passed on after a talk, which is canceled once, and at once', async () => {
    const { page, line, close } = await openPhone();
    const transferTo = async (number: string, button: string) => {
      await press(page, 'Transfer');
      await page.getByRole('textbox', { name: 'Transfer to' }).fill(number);
      await page.getByRole('textbox', { name: 'Say first' }).press('Tab');
      await checkAccess(page);
      await page.locator('form').getByRole('button', { name: button, exact: true }).click();
    };
    const transfersOf = async (id: string) =>
      (await readCall(harness, id)).events.flatMap(({ type, detail }: Json) =>
        type.startsWith('transfer_') ? [[type, detail.to]] : [],
      );
    const { id } = await callIn(harness, line);
    await press(page, 'Answer');
    await page.getByRole('timer').waitFor();
    await transferTo('(602) 555-2998', 'Talk first');
    await page.getByText('Talking to (602) 555-2998').waitFor();
    await checkAccess(page);
    await press(page, 'Cancel transfer');
    await page.getByText('Talking to').waitFor({ state: 'hidden' });
    await transferTo('(602) 555-2999', 'Transfer');
    await page.getByText('was transferred to (602) 555-2999').waitFor();
    await until('it is complete', async () => (await transfersOf(id)).at(-1)[0] === 'transfer_completed', LIMIT_MS);
    assert.deepEqual(await transfersOf(id), [
      ['transfer_started', '+16025552998'],
      ['transfer_answered', '+16025552998'],
      ['transfer_failed', '+16025552998'],
      ['transfer_started', '+16025552999'],
      ['transfer_completed', '+16025552999'],
    ]);
    await close();
  });

  test('a colleague is chosen by name, and a transfer that fails says why while the call continues', async () => {
    const { page, line, webClientId, close } = await openPhone();
    const dana = await harness.call('POST', '/v1/web_clients', { body: { tenant_id: line.tenantId, name: 'Dana' } });
    const agents = [webClientId, dana.body.id, '+16025552998'];
    await harness.call('POST', '/v1/queues', { body: { tenant_id: line.tenantId, name: 'Support', agents } });
    await callIn(harness, line, { script: 'wait 60' });
    await press(page, 'Answer');
    await page.getByRole('timer').waitFor();
    await press(page, 'Transfer');
    const field = page.getByRole('combobox', { name: 'Colleague' });
    await field.waitFor();
    await checkAccess(page);
    assert.deepEqual(await field.locator('option').allTextContents(), [
      ...['Enter a number below', '(602) 555-2998 (available)', 'Dana (away)'],
    ]);
    await field.selectOption({ label: 'Dana (away)' });
    const atOnce = page.locator('form').getByRole('button', { name: 'Transfer', exact: true });
    await atOnce.click();
    await page.getByRole('alert').getByText('The transfer failed: that line could not be reached.').waitFor();
    await page.getByText('Connected with').waitFor();
    await checkAccess(page);
    await press(page, 'Transfer');
    await field.selectOption({ label: '(602) 555-2998 (available)' });
    await atOnce.click();
    await page.getByText('was transferred to (602) 555-2998').waitFor();
    await close();
  });

  test('the person takes callers of all queues or of one, or takes a break', async () => {
    const { page, line, webClientId, close } = await openPhone();
    const makeQueue = async (name: string) => {
      const body = { tenant_id: line.tenantId, name, agents: [webClientId] };
      return (await harness.call('POST', '/v1/queues', { body })).body.id;
    };
    const [sales, support] = [await makeQueue('Sales'), await makeQueue('Support')];
    const stateIn = async (id: string) => (await harness.call('GET', `/v1/queues/${id}`)).body.agents[0].state;
    const untilStates = (...wanted: string[]) =>
      until(
        `the agent is ${wanted}`,
        async () => String([await stateIn(sales), await stateIn(support)]) === String(wanted),
        LIMIT_MS,
      );
    await page.reload();
    await page.evaluate(TAP);
    await page.locator('dialplane-phone').evaluate(
      (it, given) => {
        Reflect.set(it, 'session', given);
      },
      await mintSession(harness, line.tenantId, { web_client_id: webClientId }),
    );
    const box = (name: string) => page.getByRole('switch', { name, exact: true });
    await box('Take callers of queues').waitFor();
    await checkAccess(page);
    await untilStates('available', 'available');
    await box('Take callers of queues').click();
    await untilStates('away', 'away');
    await box('Support').click();
    await untilStates('away', 'available');
    assert.deepEqual([await box('Sales').isChecked(), await box('Take callers of queues').isChecked()], [false, true]);
    await close();
  });

  test('a microphone and a speaker are chosen, and are used again after a reload', async () => {
    const { page, line, webClientId, close } = await openPhone();
    await page.getByText('Sound', { exact: true }).click();
    const field = (name: string) => page.getByRole('combobox', { name, exact: true });
    const optionsOf = (name: string) => field(name).locator('option').allTextContents();
    await until('the devices are listed', async () => (await optionsOf('Microphone')).length > 2, LIMIT_MS);
    await checkAccess(page);
    const [microphone, speaker] = [(await optionsOf('Microphone')).at(-1), (await optionsOf('Speaker')).at(-1)];
    await field('Microphone').selectOption({ label: microphone as string });
    await field('Speaker').selectOption({ label: speaker as string });
    await page.evaluate(USED);
    await callIn(harness, line);
    await press(page, 'Answer');
    await page.getByRole('timer').waitFor();
    assert.deepEqual(await page.evaluate('used()'), [microphone]);
    await press(page, 'Hang up');
    await page.getByText('ended,').waitFor();
    await page.reload();
    await page.locator('dialplane-phone').evaluate(
      (it, given) => {
        Reflect.set(it, 'session', given);
      },
      await mintSession(harness, line.tenantId, { web_client_id: webClientId }),
    );
    await page.getByText('Ready').waitFor();
    const shown = (name: string) => field(name).locator('option:checked').textContent();
    await page.getByText('Sound', { exact: true }).click();
    await until('the choice is kept', async () => (await shown('Microphone')) === microphone, LIMIT_MS);
    assert.equal(await shown('Speaker'), speaker);
    await close();
  });

  test('with notify a ring is the title of the page, and a notification while the page has no focus', async () => {
    const { page, line, close } = await openPhone({}, { attributes: 'notify' });
    await page.evaluate(NOTIFICATIONS);
    await page.getByText('Sound', { exact: true }).click();
    await press(page, 'Notify me of calls');
    await page.getByRole('button', { name: 'Notify me of calls' }).waitFor({ state: 'detached' });
    await callIn(harness, line, { from: '+16025550143' });
    const text = 'Incoming call from (602) 555-0143';
    await until('the title says so', async () => (await page.title()) === text, LIMIT_MS);
    assert.deepEqual(await page.evaluate('shown'), [text]);
    await press(page, 'Answer');
    await until('the title is as before', async () => (await page.title()) === 'Desk', LIMIT_MS);
    assert.equal(await page.evaluate('closings'), 1);
    await press(page, 'Hang up');
    await close();
  });

  test('without notify a ring leaves the title alone', async () => {
    const { page, line, close } = await openPhone();
    await callIn(harness, line);
    await page.getByText('Incoming call from').waitFor();
    assert.equal(await page.title(), 'Desk');
    await press(page, 'Decline');
    await close();
  });

  test('a page whose origin the session does not allow says so', async () => {
    const line = await makeLine(harness);
    await makeWebClient(harness, line.tenantId);
    const { page, origin, setSession, leave } = await openEmbed({ browser, harness, name: 'phone' });
    await setSession(await mintSession(harness, line.tenantId, { allowed_origins: ['https://other.example'] }));
    await page.getByText(`This browser session is not for pages of ${origin}: its allowed_origins name`).waitFor();
    await leave();
  });

  test('an emergency call has no button to transfer it', async () => {
    const { page, close } = await openPhone();
    await page.getByRole('textbox', { name: 'Number' }).fill('933');
    await press(page, 'Call');
    await page.getByText('Connected with').waitFor();
    await page.getByRole('button', { name: 'Hold', exact: true }).waitFor();
    assert.equal(await page.getByRole('button', { name: 'Transfer' }).count(), 0);
    await press(page, 'Hang up');
    await close();
  });

  test('without calls:place only emergency numbers are dialled', async () => {
    const { page, close } = await openPhone({ abilities: ['phone'] });
    const number = page.getByRole('textbox', { name: 'Emergency number' });
    await number.fill('6025552999');
    await press(page, 'Call');
    await page.getByText('may not place calls').waitFor();
    await number.fill('933');
    await press(page, 'Call');
    await page.getByText('Connected with').waitFor();
    await press(page, 'Hang up');
    await close();
  });
});

const isDigit = (type: string, data: Json) => type === 'call.dtmf' && data.digit === '4';

/**
 * Replaces notifications, because the real ones depend on the permission and the focus of the browser. Sets `shown` and
 * `closings`.
 */
const NOTIFICATIONS = `{
  globalThis.shown = [];
  globalThis.closings = 0;
  document.hasFocus = () => false;
  globalThis.Notification = class {
    static permission = 'default';
    static requestPermission = async () => (Notification.permission = 'granted');
    constructor(text) { shown.push(text); }
    close() { closings++; }
  };
}`;

/** `quality` is the detail of the latest `call-quality` that has a round trip. */
const QUALITY = `{
  globalThis.quality = null;
  document.addEventListener('call-quality', ({ detail }) => {
    if (detail.roundTripMs !== null) globalThis.quality = detail;
  });
}`;

/** Records the microphones that the page opens. `used()` returns their names. */
const USED = `{
  const opened = [];
  const ask = navigator.mediaDevices.getUserMedia.bind(navigator.mediaDevices);
  navigator.mediaDevices.getUserMedia = async (constraints) => {
    const stream = await ask(constraints);
    opened.push(...stream.getTracks().map(({ label }) => label));
    return stream;
  };
  globalThis.used = () => opened;
}`;

/** Measures what the page plays: `heard()` is the loudest mean square of the latest audio. */
const TAP = `{
  const taps = [];
  const connect = AudioNode.prototype.connect;
  AudioNode.prototype.connect = function (target, ...rest) {
    if (target instanceof AudioDestinationNode) {
      const tap = new AnalyserNode(this.context, { fftSize: 32768 });
      taps.push(tap);
      Reflect.apply(connect, this, [tap]);
    }
    return connect.call(this, target, ...rest);
  };
  globalThis.heard = () => {
    const tap = taps.at(-1);
    if (tap === undefined) return 0;
    const samples = new Float32Array(tap.fftSize);
    tap.getFloatTimeDomainData(samples);
    return samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length;
  };
}`;
