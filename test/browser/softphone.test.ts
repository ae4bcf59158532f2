import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { after, before, describe, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { beepsIn } from '../support/beeps.ts';
import { callIn, playParty, readCall, ringing, route } from '../support/calls.ts';
import { launchChromium, noChromium } from '../support/chromium.ts';
import { type Json, listEvents } from '../support/events.ts';
import { type Harness, startHarness } from '../support/harness.ts';
import { until } from '../support/jobs.ts';
import { newPerson } from '../support/messages.ts';
import { buyNumber, makeTenant } from '../support/numbers.ts';
import { listen } from '../support/recordings.ts';
import { type BrowserWebClient, openBrowserWebClient, type Pages, servePages } from '../support/web-client-page.ts';
import { makeWebClient } from '../support/web-clients.ts';

const LIMIT_MS = 20_000;
const CUSTOMER_HZ = 440;
/** A mean square. The customer's tone has 0.0078. */
const AUDIBLE = 0.002;

describe('@dialplane/softphone in a browser', { skip: noChromium }, () => {
  let harness: Harness;
  let browser: Browser;
  let pages: Pages;
  /** Connections with web clients' audio, the newest last. */
  const audioConnections: Duplex[] = [];
  before(async () => {
    [harness, pages] = await Promise.all([startHarness(), servePages()]);
    harness.app.server.on('upgrade', ({ url }: IncomingMessage, connection: Duplex) => {
      if (url?.startsWith('/v1/softphone/audio')) audioConnections.push(connection);
    });
    // The harness sets the address of its media gateway before it has a port.
    browser = await launchChromium({ 'localhost:80': new URL(harness.url).host });
  });
  after(async () => {
    await browser?.close();
    pages?.close();
    await harness?.close();
  });

  type BrowserDesk = { tenantId: string; number: Json; webClientId: string; webClient: BrowserWebClient };

  /** Makes a tenant whose number rings its one web client, and logs the web client in in a page of its own. */
  async function openDesk(config: object = {}): Promise<BrowserDesk> {
    const tenantId = await makeTenant(harness);
    const number = await buyNumber(harness, tenantId);
    const { id: webClientId } = await makeWebClient(harness, tenantId);
    await route(harness, { tenantId, number }, { open_behavior: ringing([webClientId]), ...config });
    return {
      tenantId,
      number,
      webClientId,
      webClient: await openBrowserWebClient({ browser, pages, harness }, webClientId),
    };
  }

  /** Calls a desk and answers in the browser. @returns the call's id */
  async function answerCall(desk: BrowserDesk): Promise<string> {
    const { id } = await callIn(harness, desk);
    await desk.webClient.receive('incoming');
    await desk.webClient.run((phone) => phone.answer());
    await desk.webClient.receive('answered');
    return id;
  }

  const untilHeard = (webClient: BrowserWebClient) =>
    until(
      'the page plays the customer',
      async () => {
        const { level, share } = await webClient.measure(CUSTOMER_HZ);
        return level > AUDIBLE && share > 0.9;
      },
      LIMIT_MS,
    );

  /** Waits until the page has played this long, by the clock of its audio. */
  async function untilPlayed(webClient: BrowserWebClient, seconds: number): Promise<void> {
    const { playedS } = await webClient.measure(CUSTOMER_HZ);
    const hasPlayed = async () => (await webClient.measure(CUSTOMER_HZ)).playedS >= playedS + seconds;
    await until(`the page has played ${seconds} s`, hasPlayed, LIMIT_MS);
  }

  const untilEnded = (id: string) =>
    until('the call is over', async () => (await readCall(harness, id)).status === 'completed', LIMIT_MS);

  test('a call rings the web client, which answers it, plays the customer, and hangs up', async () => {
    const desk = await openDesk();
    const { webClient, webClientId, number } = desk;
    const from = newPerson();
    const { id } = await callIn(harness, desk, { from });
    const incoming = await webClient.receive('incoming');
    assert.deepEqual([incoming.id, incoming.from, incoming.to], [id, from, number.phone_number]);
    await webClient.run((phone) => phone.answer());
    await webClient.receive('answered');
    assert.equal((await readCall(harness, id)).answered_by, `web_client:${webClientId}`);
    await untilHeard(webClient);
    await webClient.run((phone) => phone.hangUp());
    const { reason, outcome } = await webClient.receive('ended');
    assert.deepEqual([reason, outcome], ['hung_up', 'answered']);
    await untilEnded(id);
    await webClient.close();
  });

  test('the recording has the audio of the microphone, without that of the time it was muted', async () => {
    const desk = await openDesk({ recording: { enabled: true, consent_announcement: false } });
    const { webClient } = desk;
    const id = await answerCall(desk);
    await untilHeard(webClient);
    await untilPlayed(webClient, 1.5);
    await webClient.run((phone) => phone.mute(true));
    await untilPlayed(webClient, 2);
    await webClient.run((phone) => phone.mute(false));
    await untilPlayed(webClient, 1.5);
    await webClient.run((phone) => phone.hangUp());
    await until('there is a recording', async () => (await readCall(harness, id)).recording_id !== null, LIMIT_MS);
    const { recording_id } = await readCall(harness, id);
    const beeps = beepsIn(await listen(harness, `/v1/recordings/${recording_id}/audio`));
    // Chromium's microphone beeps twice a second.
    const gaps = beeps.slice(1).map((atMs, index) => atMs - (beeps[index] as number));
    const muted = gaps.findIndex((gapMs) => gapMs > 1_400);
    assert.ok(muted >= 1 && muted <= gaps.length - 2, `beeps at ${beeps.join(', ')} ms`);
    await webClient.close();
  });

  test('on hold the web client plays nothing, and after it the customer again', async () => {
    const desk = await openDesk();
    const { webClient } = desk;
    await answerCall(desk);
    await untilHeard(webClient);
    await webClient.run((phone) => phone.hold(true));
    await until('the page is silent', async () => (await webClient.measure(CUSTOMER_HZ)).level === 0, LIMIT_MS);
    await webClient.run((phone) => phone.hold(false));
    await untilHeard(webClient);
    await webClient.close();
  });

  test('audio whose connection breaks is restored, in the same call', async () => {
    const desk = await openDesk();
    const { webClient } = desk;
    const id = await answerCall(desk);
    await untilHeard(webClient);
    for (let times = 1; times <= 2; times++) {
      const before = audioConnections.length;
      audioConnections.at(-1)?.destroy();
      await until('the page connects again', () => audioConnections.length > before, LIMIT_MS);
      // Until nothing from before is left in the tap.
      await untilPlayed(webClient, 1);
      await untilHeard(webClient);
    }
    assert.equal((await readCall(harness, id)).status, 'in_progress');
    await webClient.run((phone) => phone.hangUp());
    await webClient.receive('ended');
    await webClient.close();
  });

  test("digits sent from the page are the agent's", async () => {
    const desk = await openDesk();
    const { webClient } = desk;
    const id = await answerCall(desk);
    await webClient.run((phone) => phone.sendDigits('4#'));
    const digits = async () => (await listEvents(harness, id)).filter(({ type }) => type === 'call.dtmf');
    await until('both are reported', async () => (await digits()).length === 2, LIMIT_MS);
    assert.deepEqual(
      (await digits()).map(({ data }) => [data.digit, data.pressed_by]),
      [
        ['4', 'agent'],
        ['#', 'agent'],
      ],
    );
    await playParty(harness, id, 'hangup');
    assert.equal((await webClient.receive('ended')).reason, 'ended');
    await webClient.close();
  });

  test("the page dials from the tenant's number, and plays the other party", async () => {
    const { webClient, webClientId, number } = await openDesk();
    const to = newPerson();
    const { id } = await webClient.run((phone, number) => phone.place(number), to);
    await webClient.receive('ringing');
    await webClient.receive('answered');
    const call = await readCall(harness, id);
    assert.deepEqual([call.from, call.to, call.connect_to], [number.phone_number, to, webClientId]);
    await untilHeard(webClient);
    await webClient.run((phone) => phone.hangUp());
    await webClient.receive('ended');
    await webClient.close();
  });

  test('a web client revoked during a call is closed with 4403 within 5 s, and the call ends', async () => {
    const desk = await openDesk();
    const { webClient, webClientId } = desk;
    const id = await answerCall(desk);
    await untilHeard(webClient);
    const revokedAt = performance.now();
    assert.equal((await harness.call('DELETE', `/v1/web_clients/${webClientId}`)).status, 200);
    const { code, willReconnect } = await webClient.receive('disconnected');
    assert.deepEqual([code, willReconnect], [4403, false]);
    assert.ok(performance.now() - revokedAt < 5_000, 'it took longer than 5 s');
    // Longer than a web client may be offline during a call.
    await harness.advance(20);
    await untilEnded(id);
    await until('the page is silent', async () => (await webClient.measure(CUSTOMER_HZ)).level === 0, LIMIT_MS);
    await webClient.close();
  });

  test('911 from the page emits emergency_call.placed, and the page plays a voice', async () => {
    const { webClient, webClientId } = await openDesk();
    const { id } = await webClient.run((phone) => phone.place('911'));
    const [first] = await listEvents(harness, id);
    assert.equal(first.type, 'emergency_call.placed');
    assert.deepEqual([first.data.to, first.data.web_client_id], ['911', webClientId]);
    await until('the page plays a voice', async () => (await webClient.measure(CUSTOMER_HZ)).level > AUDIBLE, LIMIT_MS);
    await webClient.run((phone) => phone.hangUp());
    await webClient.receive('ended');
    await webClient.close();
  });

  test('without a microphone the page can dial emergency numbers, and no others', async () => {
    const { webClient } = await openDesk();
    await webClient.run(() => {
      const refuse = () => Promise.reject(new Error('Permission denied'));
      Reflect.set(Reflect.get(navigator, 'mediaDevices'), 'getUserMedia', refuse);
    });
    const codeOf = (to: string) =>
      webClient.run(
        (phone, number) =>
          phone.place(number).then(
            () => 'placed',
            ({ code }) => code as string,
          ),
        to,
      );
    assert.equal(await codeOf(newPerson()), 'microphone_refused');
    for (const number of ['933', '911']) {
      assert.equal(await codeOf(number), 'placed');
      await webClient.receive('answered');
      await until(
        'the page plays a voice',
        async () => (await webClient.measure(CUSTOMER_HZ)).level > AUDIBLE,
        LIMIT_MS,
      );
      await webClient.run((phone) => phone.hangUp());
      await webClient.receive('ended');
    }
    await webClient.close();
  });

  test('a second page with the same web client replaces the first, which is closed with 4409', async () => {
    const { webClient, webClientId } = await openDesk();
    const second = await openBrowserWebClient({ browser, pages, harness }, webClientId);
    assert.equal((await webClient.receive('disconnected')).code, 4409);
    assert.equal(await second.run((phone) => phone.isRegistered), true);
    await Promise.all([webClient.close(), second.close()]);
  });
});
