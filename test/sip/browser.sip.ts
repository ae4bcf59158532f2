/** A web client in a browser talks to a telephone at the engine. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { samplesOf } from '../../src/audio/pcm.ts';
import { sine } from '../../src/audio/tones.ts';
import { beepsIn } from '../support/beeps.ts';
import { useBrowser } from '../support/browser.ts';
import { noChromium } from '../support/chromium.ts';
import { closeAfterTests } from '../support/close-after-tests.ts';
import { until } from '../support/jobs.ts';
import { openBrowserWebClient, servePages } from '../support/web-client-page.ts';
import { makeWebClient } from '../support/web-clients.ts';
import { useSipLine } from './sip-line.ts';
import { openNetwork } from './world/network.ts';
import { Phone } from './world/phone.ts';

const PHONE_NUMBER = '+13035550101';
const PASSWORD = 'ofthetelephone';
const PHONE_HZ = 500;
/** A mean square. The telephone's tone has a mean square of 0.03. */
const AUDIBLE = 0.005;
const LIMIT_MS = 20_000;
const skip = noChromium;

const network = await openNetwork();
closeAfterTests(network.close);
const line = await useSipLine({
  engineSettings: {
    phones: JSON.stringify([{ number: PHONE_NUMBER }]),
    ...{ listen_address: network.engineAddress, rtp_ports: '23000-23999' },
  },
  passwords: { [PHONE_NUMBER]: PASSWORD },
});
const { harness, key, tenantId, number, untilHas, route, untilQuiet } = line;
const pages = await servePages();
closeAfterTests(async () => pages.close());
const browser = skip === false ? await useBrowser(harness) : undefined;

const phone = await Phone.start({
  ...{ network, user: `phone-${PHONE_NUMBER.slice(1)}`, password: PASSWORD },
  engine: `${network.engineAddress}:${line.engine.sipPort}`,
  says: sine({ frequencyHz: PHONE_HZ, samples: samplesOf(100_000), amplitude: 8_000 }),
});
closeAfterTests(() => phone.close());

const serving = {
  url: harness.url,
  call: ((method, path, asked = {}) => harness.call(method, path, { key, ...asked })) as typeof harness.call,
};

/** Opens a page with a web client that calls to the number ring. */
async function openDesk() {
  const { id } = await makeWebClient(serving, tenantId);
  await route({ type: 'ring', targets: [id], timeout_seconds: 30 });
  const parts = { browser: browser ?? assert.fail('there is no browser'), pages, harness: { ...harness, ...serving } };
  return { id, webClient: await openBrowserWebClient(parts, id) };
}

type Desk = Awaited<ReturnType<typeof openDesk>>;

/**
 * Waits until the page plays the telephone's tone, and the telephone has received the beeps of the page's microphone.
 */
async function untilBothHear({ webClient }: Desk): Promise<void> {
  await webClient.plays('the telephone', PHONE_HZ, ({ level, share }) => level > AUDIBLE && share > 0.9);
  await until('the telephone hears the page', () => beepsIn(phone.heard()).length >= 3, LIMIT_MS);
}

test('a telephone calls the number, and a browser answers: both hear each other', { skip }, async () => {
  const desk = await openDesk();
  await phone.dial(number.phone_number);
  const { id, from } = await desk.webClient.receive('incoming');
  assert.equal(from, PHONE_NUMBER);
  await desk.webClient.run((softphone) => softphone.answer());
  await desk.webClient.receive('answered');
  await untilHas(`/calls/${id}`, { status: 'in_progress', answered_by: `web_client:${desk.id}` });
  await untilBothHear(desk);
  await phone.hangUp();
  await desk.webClient.receive('ended');
  await untilHas(`/calls/${id}`, { status: 'completed', outcome: 'answered' });
  await untilQuiet();
  await desk.webClient.close();
});

test('a browser calls a telephone, which answers: both hear each other', { skip }, async () => {
  const desk = await openDesk();
  const ended = phone.events.length;
  await desk.webClient.run((softphone, to) => softphone.place(to), PHONE_NUMBER);
  await phone.waitFor('CALL_INCOMING', ended);
  await phone.answer();
  await desk.webClient.receive('answered');
  await untilBothHear(desk);
  await desk.webClient.run((softphone) => softphone.hangUp());
  await phone.waitForEnd(ended);
  await desk.webClient.receive('ended');
  await untilQuiet();
  await desk.webClient.close();
});
