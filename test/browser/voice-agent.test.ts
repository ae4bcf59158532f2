/** A call from beginning to end: a voice agent answers, understands, and transfers to a web client in a browser. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { callIn, playParty, readCall, ringing, route } from '../support/calls.ts';
import { launchChromium, noChromium } from '../support/chromium.ts';
import type { Json } from '../support/events.ts';
import { useHarness } from '../support/harness.ts';
import { until } from '../support/jobs.ts';
import { makeLine } from '../support/numbers.ts';
import { freePort } from '../support/ports.ts';
import { useRecognizer } from '../support/sentence-recognizer.ts';
import { useVoiceAgent } from '../support/voice-agent-example.ts';
import { openBrowserWebClient, type Pages, servePages } from '../support/web-client-page.ts';
import { makeWebClient } from '../support/web-clients.ts';

const LIMIT_MS = 20_000;
const CUSTOMER_HZ = 440;
/** A mean square. The customer's tone has 0.0078. */
const AUDIBLE = 0.002;
const WISH = 'I would like to talk to a person please';

const port = await freePort();
const base = `127.0.0.1:${port}`;
const harness = await useHarness({ port, settings: { publicUrl: `http://${base}`, mediaUrl: `ws://${base}` } });
const recognizer = await useRecognizer([WISH, 'When are you open tomorrow?', 'Can I leave a message?']);

describe('a voice agent that transfers to a browser', { skip: noChromium }, () => {
  let browser: Browser;
  let pages: Pages;
  before(async () => {
    pages = await servePages();
    browser = await launchChromium({});
  });
  after(async () => {
    await browser?.close();
    pages?.close();
  });

  test('a caller who asks the agent for a person is heard in the browser', async (context) => {
    const line = await makeLine(harness);
    const { id: PERSON } = await makeWebClient(harness, line.tenantId);
    const webClient = await openBrowserWebClient({ browser, pages, harness }, PERSON);
    await route(harness, line, { open_behavior: ringing(['application']) });
    const agent = await useVoiceAgent(context, { harness, line }, { PERSON, SPEECH_URL: recognizer.url });
    const { id } = await callIn(harness, line, { script: `wait 3, say "${WISH}"` });
    await agent.printed(`caller: ${WISH}`);
    assert.equal((await webClient.receive('incoming')).id, id);
    await webClient.run((phone) => phone.answer());
    await webClient.receive('answered');
    const isHeard = async () => {
      const { level, share } = await webClient.measure(CUSTOMER_HZ);
      return level > AUDIBLE && share > 0.9;
    };
    await until('the page plays the caller', isHeard, LIMIT_MS);
    await agent.printed('call.transfer.completed');
    const call = await readCall(harness, id);
    const completed = call.events.find(({ type }: Json) => type === 'transfer_completed');
    assert.deepEqual([call.status, completed?.detail.to], ['in_progress', PERSON]);
    await playParty(harness, id, 'hangup', { party: 'customer' });
    assert.equal((await webClient.receive('ended')).reason, 'ended');
    await webClient.close();
  });
});
