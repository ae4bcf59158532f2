import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CARRIER_CAPABILITIES } from '../../src/carriers/ports/carrier.ts';
import { TELNYX_KIND } from '../../src/carriers/telnyx/index.ts';
import { playJourney } from '../scenarios/journey.ts';
import { closeAfterTests } from '../support/close-after-tests.ts';
import { useHarness } from '../support/harness.ts';
import { addConnection } from '../support/live-network.ts';
import { fund } from '../support/money.ts';
import { freePort } from '../support/ports.ts';
import { QUICK, startTelnyx } from './start-telnyx.ts';

const telnyx = await startTelnyx(QUICK);
closeAfterTests(() => telnyx.close());
const port = await freePort();
const settings = { mediaUrl: `ws://127.0.0.1:${port}` };
const harness = await useHarness({ adapterKinds: [TELNYX_KIND], port, settings });
await addConnection(harness.context, {
  kind: 'telnyx',
  name: 'telnyx',
  settings: { public_url: harness.url, api_url: telnyx.url, transcription: 'telnyx' },
  credentials: { key: telnyx.apiKey, public_key: telnyx.publicKey },
  capabilities: CARRIER_CAPABILITIES,
});
await harness.connections.refresh();
const [connection = assert.fail()] = harness.connections.list();
await connection.connected.setup();
await fund(harness);

test('a clinic gets its phone service with a live key over Telnyx: the journey of a test key, with another key', () =>
  playJourney(harness, harness.account.live_key, {
    text: async ({ body: text, ...parties }) => {
      await telnyx.control.textIn({ ...parties, text });
    },
    call: async (parties) => {
      await telnyx.control.callIn(parties);
    },
    say: async ({ person: phoneNumber, text }) => {
      await telnyx.control.words({ phoneNumber, texts: [text] });
      await telnyx.control.say({ phoneNumber, ms: 3_000 });
    },
  }));
