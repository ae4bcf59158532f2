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
import { type Line, makeLine } from '../support/numbers.ts';
import { listen } from '../support/recordings.ts';
import { makeWebClient } from '../support/web-clients.ts';

const LIMIT_MS = 20_000;

const harness = await useReachableHarness();
const browser = await useBrowser(harness);

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
    await page.getByText('ended,').waitFor();
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
