import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { describe, test } from 'node:test';
import { decodeMulaw } from '../../src/audio/mulaw.ts';
import { samplesOf } from '../../src/audio/pcm.ts';
import { beepsIn } from '../support/beeps.ts';
import { useBrowser, useReachableHarness } from '../support/browser.ts';
import { callIn, playParty, readCall, ringing, route } from '../support/calls.ts';
import { noChromium } from '../support/chromium.ts';
import { closeAfterTests } from '../support/close-after-tests.ts';
import { type Json, listEvents } from '../support/events.ts';
import { until } from '../support/jobs.ts';
import { talkLonger } from '../support/late-answers.ts';
import { openMediaClient } from '../support/media-node.ts';
import { newPerson } from '../support/messages.ts';
import { buyNumber, makeTenant } from '../support/numbers.ts';
import { listen } from '../support/recordings.ts';
import { type BrowserWebClient, openBrowserWebClient, servePages } from '../support/web-client-page.ts';
import { makeWebClient } from '../support/web-clients.ts';

const LIMIT_MS = 20_000;
/** A browser on a busy machine sends few beeps of its microphone. */
const BEEPS_LIMIT_MS = 60_000;
const CUSTOMER_HZ = 440;
/** A mean square. The customer's tone has a mean square of 0.0078. */
const AUDIBLE = 0.002;

const harness = await useReachableHarness();
if (noChromium === false) await talkLonger(harness.context.db);
const browser = await useBrowser(harness, { isConcurrent: true });
const pages = await servePages();
closeAfterTests(() => pages.close());

type BrowserDesk = { tenantId: string; number: Json; webClientId: string; webClient: BrowserWebClient };

/** Makes a tenant whose number rings its one web client, and logs the web client in in a separate page. */
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

/** Calls a web client and answers in the browser. @returns the call's id */
async function answerCall(desk: BrowserDesk): Promise<string> {
  const { id } = await callIn(harness, desk);
  await desk.webClient.receive('incoming');
  await desk.webClient.run((phone) => phone.answer());
  await desk.webClient.receive('answered');
  return id;
}

const untilHeard = (webClient: BrowserWebClient) =>
  webClient.plays('the customer', CUSTOMER_HZ, ({ level, share }) => level > AUDIBLE && share > 0.9);

const untilSilent = (webClient: BrowserWebClient) =>
  webClient.plays('nothing', CUSTOMER_HZ, ({ level }) => level === 0);

/** Waits until the page has played this long, by the clock of its audio. */
async function untilPlayed(webClient: BrowserWebClient, seconds: number): Promise<void> {
  const { playedS: before } = await webClient.measure(CUSTOMER_HZ);
  await webClient.plays(`for ${seconds} s more`, CUSTOMER_HZ, ({ playedS }) => playedS >= before + seconds);
}

/** Connects a stream to a call. It has the beeps of the microphone that have reached the server. */
async function openBeeps(id: string) {
  const { status, body: stream } = await harness.call('POST', `/v1/calls/${id}/streams`, { body: {} });
  assert.equal(status, 201, JSON.stringify(stream));
  const listener = openMediaClient(`${stream.url}?token=${stream.token}`);
  const audio = () => listener.audioOf('outbound');
  const beepsSince = (from: number) => beepsIn(decodeMulaw(audio().subarray(Math.max(0, from)))).length;
  return {
    untilMore: async (count: number) => {
      const from = audio().length;
      await until(`${count} more beeps`, () => beepsSince(from) >= count, BEEPS_LIMIT_MS);
    },
    /** Waits until the last seconds had no beep. */
    untilQuiet: async (seconds: number) => {
      const length = samplesOf(seconds * 1_000);
      await until(
        `no beep for ${seconds} s`,
        () => audio().length >= length && beepsSince(audio().length - length) === 0,
        BEEPS_LIMIT_MS,
      );
    },
  };
}

const untilEnded = (id: string) =>
  until('the call is over', async () => (await readCall(harness, id)).status === 'completed', LIMIT_MS);

// The tests wait for audio in real time. They wait concurrently.
describe('@dialplane/softphone in a browser', { skip: noChromium, concurrency: true }, () => {
  test('the microphone and the speaker are changed during a call, and the call is heard both ways', async () => {
    const desk = await openDesk({ recording: { enabled: true, consent_announcement: false } });
    const { webClient } = desk;
    const id = await answerCall(desk);
    await untilHeard(webClient);
    const chosen = await webClient.run(async (phone) => {
      const { microphones, speakers } = await phone.devices();
      const [microphone, speaker] = [microphones.at(-1), speakers.at(-1)];
      await phone.useMicrophone(microphone?.id);
      await phone.useSpeaker(speaker?.id);
      const refused = [phone.useMicrophone('none'), phone.useSpeaker('none')].map((use) =>
        use.catch(({ code }: { code: string }) => code),
      );
      return { microphones: microphones.length, label: microphone?.label, refused: await Promise.all(refused) };
    });
    assert.ok(chosen.microphones > 1 && chosen.label !== '', JSON.stringify(chosen));
    assert.deepEqual(chosen.refused, ['microphone_refused', 'speaker_refused']);
    await (await openBeeps(id)).untilMore(3);
    await untilHeard(webClient);
    await webClient.run((phone) => phone.hangUp());
    await webClient.receive('ended');
    const recorded = async () => (await readCall(harness, id)).recording_id !== null;
    await until('there is a recording', recorded, LIMIT_MS);
    const { recording_id } = await readCall(harness, id);
    const audio = await listen(harness, `/v1/recordings/${recording_id}/audio`);
    // The fake microphones of the browser beep once a second.
    assert.ok(beepsIn(audio).length >= 3, `${beepsIn(audio).length} beeps`);
    await webClient.close();
  });

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
    await untilSilent(webClient);
    await webClient.close();
  });

  test('the recording has the audio of the microphone, without that of the time it was muted', async () => {
    const desk = await openDesk({ recording: { enabled: true, consent_announcement: false } });
    const { webClient } = desk;
    const id = await answerCall(desk);
    await untilHeard(webClient);
    const beeping = await openBeeps(id);
    await beeping.untilMore(3);
    await webClient.run((phone) => phone.mute(true));
    await beeping.untilQuiet(4);
    await webClient.run((phone) => phone.mute(false));
    await beeping.untilMore(3);
    await webClient.run((phone) => phone.hangUp());
    await until('there is a recording', async () => (await readCall(harness, id)).recording_id !== null, LIMIT_MS);
    const { recording_id } = await readCall(harness, id);
    const beeps = beepsIn(await listen(harness, `/v1/recordings/${recording_id}/audio`));
    // A browser that stands still for a moment misses some of its microphone's beeps, and may start late.
    const gaps = beeps.slice(1).map((atMs, index) => atMs - (beeps[index] as number));
    const isMuted = gaps.slice(1).some((ms) => ms > 3_500);
    assert.ok(isMuted, `beeps at ${beeps.join(', ')} ms`);
    await webClient.close();
  });

  test('on hold the web client plays nothing, and after it the customer again', async () => {
    const desk = await openDesk();
    const { webClient } = desk;
    await answerCall(desk);
    await untilHeard(webClient);
    await webClient.run((phone) => phone.hold(true));
    await untilSilent(webClient);
    await webClient.run((phone) => phone.hold(false));
    await untilHeard(webClient);
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

  test('a caller whom the application transfers to the web client is heard there', async () => {
    const desk = await openDesk();
    const { webClient, webClientId } = desk;
    await route(harness, desk, { open_behavior: ringing(['application']) });
    const { id } = await callIn(harness, desk);
    const answeredBy = async () => (await readCall(harness, id)).answered_by;
    await until('the application answers', async () => (await answeredBy()) === 'application', LIMIT_MS);
    const transferred = await harness.call('POST', `/v1/calls/${id}/transfer`, { body: { to: webClientId } });
    assert.equal(transferred.status, 202, JSON.stringify(transferred.body));
    assert.equal((await webClient.receive('incoming')).id, id);
    await webClient.run((phone) => phone.answer());
    await webClient.receive('answered');
    await untilHeard(webClient);
    const { status, events } = await readCall(harness, id);
    const completed = events.find(({ type }: Json) => type === 'transfer_completed');
    assert.deepEqual([status, completed?.detail.to], ['in_progress', webClientId]);
    await playParty(harness, id, 'hangup', { party: 'customer' });
    assert.equal((await webClient.receive('ended')).reason, 'ended');
    await webClient.close();
  });

  test('without a microphone the page can dial 911 and plays its voice, and can dial no others', async () => {
    const { webClient, webClientId } = await openDesk();
    await webClient.run(() => {
      const refuse = () => Promise.reject(new Error('Permission denied'));
      Reflect.set(Reflect.get(navigator, 'mediaDevices'), 'getUserMedia', refuse);
    });
    await assert.rejects(
      webClient.run((phone, to) => phone.place(to).catch(({ code }) => Promise.reject(new Error(code))), newPerson()),
      /microphone_refused/,
    );
    const { id } = await webClient.run((phone) => phone.place('911'));
    const [first] = await listEvents(harness, id);
    assert.equal(first.type, 'emergency_call.placed');
    assert.deepEqual([first.data.to, first.data.web_client_id], ['911', webClientId]);
    await webClient.receive('answered');
    await webClient.plays('a voice', CUSTOMER_HZ, ({ level }) => level > AUDIBLE);
    await webClient.run((phone) => phone.hangUp());
    await webClient.receive('ended');
    await webClient.close();
  });
});

test('audio whose connection breaks is restored, in the same call', { skip: noChromium }, async () => {
  /** Connections with web clients' audio, the newest last. */
  const audioConnections: Duplex[] = [];
  harness.app.server.on('upgrade', ({ url }: IncomingMessage, connection: Duplex) => {
    if (url?.startsWith('/v1/softphone/audio')) audioConnections.push(connection);
  });
  const desk = await openDesk();
  const { webClient } = desk;
  const id = await answerCall(desk);
  await untilHeard(webClient);
  for (let times = 1; times <= 2; times++) {
    const before = audioConnections.length;
    audioConnections.at(-1)?.destroy();
    await until('the page connects again', () => audioConnections.length > before, LIMIT_MS);
    // Waits until the tap has no earlier audio.
    await untilPlayed(webClient, 1);
    await untilHeard(webClient);
  }
  assert.equal((await readCall(harness, id)).status, 'in_progress');
  await webClient.run((phone) => phone.hangUp());
  await webClient.receive('ended');
  await webClient.close();
});
