import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { WebSocketServer } from 'ws';
import type { CarrierEvent } from '../../src/carriers/ports/carrier.ts';
import { DOCUMENT_KINDS } from '../../src/carriers/ports/porting.ts';
import { TELNYX_KIND } from '../../src/carriers/telnyx/index.ts';
import { newId } from '../../src/lib/ids.ts';
import type { Ledger } from '../../src/lib/scope.ts';
import { createSynthesizer } from '../../src/speech/speech-synthesis.ts';
import { closeAfterTests } from '../support/close-after-tests.ts';
import { useHarness } from '../support/harness.ts';
import { silentLog, until } from '../support/jobs.ts';
import { addConnection } from '../support/live-network.ts';
import { newPerson } from '../support/messages.ts';
import { fund } from '../support/money.ts';
import { PDF } from '../support/port-ins.ts';
import { startTelnyx } from '../telnyx/telnyx-process.ts';
import { describeAudioConformance } from './audio.ts';
import { describeE911Conformance } from './e911.ts';
import { describeFrontDeskConformance } from './front-desk.ts';
import { describeMessagingConformance } from './messaging.ts';
import { describeNumbersConformance } from './numbers.ts';
import { describePortingConformance } from './porting.ts';
import { describeRegistryConformance } from './registry.ts';
import { describeVoiceConformance, type VoiceSubject } from './voice.ts';

const telnyx = await startTelnyx({ roundTripMs: 0, stepMs: 10, retryMs: 10 });
closeAfterTests(() => telnyx.close());
const harness = await useHarness({ adapterKinds: [TELNYX_KIND] });
const { context } = harness;
const { db } = context;
const ledger: Ledger = await fund(harness);

const receiver = createServer().listen(0, '127.0.0.1');
await once(receiver, 'listening');
closeAfterTests(async () => {
  receiver.closeAllConnections();
  receiver.close();
});
const public_url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;
const connection = {
  name: 'telnyx',
  settings: { public_url, api_url: telnyx.url, transcription: 'telnyx' },
  credentials: { key: telnyx.apiKey, public_key: telnyx.publicKey },
};
const id = await addConnection(context, { kind: 'telnyx', ...connection, capabilities: [] });
const parts = { db, log: silentLog, synthesizer: createSynthesizer({ log: silentLog }) } as never;
const { carrier, ingress, setup, close } = TELNYX_KIND.make(parts).connect({ id, ...connection });
closeAfterTests(() => close?.());
await setup();
const { numbers = assert.fail(), messaging = assert.fail() } = carrier;
const { registry = assert.fail(), e911 = assert.fail(), porting = assert.fail(), voice = assert.fail() } = carrier;

/** The events that were reported and not read yet. */
const reported: CarrierEvent[] = [];
receiver.on('request', async (request, response) => {
  const { headers, method, url = '' } = request;
  if (method === 'GET') {
    const sound = await ingress?.readSound?.(url);
    return response.writeHead(sound === undefined ? 404 : 200).end(sound);
  }
  const notices = ingress?.read({ path: '', headers, body: await buffer(request), now: new Date() });
  if (!Array.isArray(notices)) return response.writeHead(401).end();
  for (const notice of notices) {
    const translation = await ingress?.translate(db, notice);
    if (translation?.is === 'events') reported.push(...translation.events);
  }
  return response.end();
});

/** Orders a number, and makes it the ledger's. */
async function orderNumber(areaCode: string): Promise<string> {
  const [onSale] = await numbers.search(ledger, { areaCode, limit: 1 });
  const phoneNumber = onSale?.phone_number ?? assert.fail('nothing is on sale');
  const tenant = { id: newId('tenant'), name: 'Conformance' };
  const order = await numbers.order(ledger, { ref: newId('phone_number'), phoneNumber, tenant });
  assert.equal(order.outcome, 'accepted');
  await db.query(
    { name: '', text: 'insert into live_numbers (phone_number, ledger_id, number_id) values ($1, $2, $3)' },
    [phoneNumber, ledger.ledgerId, newId('phone_number')],
  );
  return phoneNumber;
}

const closeNothing = async () => undefined;

describeNumbersConformance('telnyx', async () => ({ numbers, ledger, close: closeNothing }));

describeMessagingConformance('telnyx', async () => {
  const from = await orderNumber('303');
  return {
    messaging,
    ledger,
    from,
    to: { delivered: '+13037310142', undeliverable: '+13035540004', unavailable: '+13035549005' },
    settle: async () => {
      await telnyx.control.settled({});
      return reported.splice(0);
    },
    countReceived: async (phoneNumber, body) =>
      (await telnyx.control.handset({ phoneNumber })).filter(({ text }) => text === body).length,
    textBack: async (person, text) => {
      await telnyx.control.textIn({ from: person, to: from, text });
    },
    close: closeNothing,
  };
});

describeRegistryConformance('telnyx', async () => ({
  registry,
  ledger,
  phoneNumber: await orderNumber('206'),
  suspend: async ({ carrierRef: campaignId }) => {
    const failureReasons = 'Too many complaints';
    await telnyx.control.decideCampaign({ campaignId, campaignStatus: 'TCR_SUSPENDED', failureReasons });
  },
  settle: async () => {
    await telnyx.control.settled({});
    return reported.splice(0);
  },
  close: closeNothing,
}));

describeE911Conformance('telnyx', async () => {
  const good = { street: '100 N Central Ave', unit: null, city: 'Phoenix', state: 'AZ', postal_code: '85004' };
  const bad = { ...good, street: 'Main St', state: 'NV' };
  return { e911, ledger, phoneNumber: await orderNumber('512'), good, bad, close: closeNothing };
});

/** Returns the events without those that are repeated: a port-in is reported at each change of one of its orders. */
function withoutRepeats(events: readonly CarrierEvent[]): CarrierEvent[] {
  return events.filter((event, at) => events.findIndex((earlier) => isDeepStrictEqual(earlier, event)) === at);
}

describePortingConformance('telnyx', async () => {
  // Slow enough for a port-in that is not cancelled to go on after `pend`.
  await telnyx.control.set({ stepMs: 250 });
  let portable = 0;
  return {
    porting,
    ledger,
    nextPortable: () => `+1303555${4000 + portable++}`,
    notPortable: '+13035530101',
    ofAnotherCarrier: '+13035531101',
    needsAction: '+13035532101',
    documents: DOCUMENT_KINDS.map((kind) => ({
      ref: newId('port_in_document'),
      kind,
      contentType: 'application/pdf',
      sizeBytes: PDF.length,
      read: async () => PDF,
    })),
    pend: async (pend) => {
      await telnyx.control.pendPorts({ pend });
    },
    settle: async () => {
      await telnyx.control.settled({});
      return withoutRepeats(reported.splice(0));
    },
    close: async () => {
      await telnyx.control.set({ stepMs: 10 });
    },
  };
});

/** A stream that only takes what it is sent. */
const listener = new WebSocketServer({ host: '127.0.0.1', port: 0 });
await once(listener, 'listening');
closeAfterTests(async () => {
  for (const socket of listener.clients) socket.terminate();
  listener.close();
});

const TALKING_S = 10;

/** Returns the people who are on a call. */
async function listTalkers(): Promise<string[]> {
  const legs = await telnyx.control.calls({});
  return legs.flatMap(({ state, person }) => (state === 'answered' ? [person] : []));
}

/** Calls with people who answer, speak, press keys and hang up by themselves. Time is real. */
async function openVoice(areaCode: string): Promise<VoiceSubject> {
  const number = await orderNumber(areaCode);
  const absent = newPerson();
  await telnyx.control.person({ phoneNumber: absent, answers: 'never' });
  const settle = async (seconds: number) => {
    // Whoever has time to talk does.
    if (seconds >= TALKING_S)
      for (const phoneNumber of await listTalkers()) await telnyx.control.say({ phoneNumber, ms: 1_000 });
    await Promise.race([telnyx.control.callsQuiet({}), sleep(seconds * 1_000)]);
    await telnyx.control.settled({});
    return reported.splice(0);
  };
  return {
    ...{ voice, ledger, number, absent, person: newPerson, settle, close: closeNothing },
    streamUrl: `ws://127.0.0.1:${(listener.address() as AddressInfo).port}/`,
    arrive: async (caller) => {
      await telnyx.control.callIn({ from: caller, to: number });
      const find = () => reported.find((event) => event.type === 'call.arrived' && event.from === caller);
      await until('it has arrived', () => find() !== undefined);
      const arrived = find();
      if (arrived?.type !== 'call.arrived') return assert.fail();
      reported.splice(reported.indexOf(arrived), 1);
      return { callRef: arrived.callRef, legRef: arrived.legRef };
    },
  };
}

describeVoiceConformance('telnyx', () => openVoice('928'));
describeAudioConformance('telnyx', () => openVoice('520'));
describeFrontDeskConformance('telnyx', async () => {
  const subject = await openVoice('623');
  // A slow machine has time to listen to callers, who stay as long as a test needs them.
  const arrive = async (caller: string) => {
    await telnyx.control.person({ phoneNumber: caller, saysMs: 8_000, hangsUpAfterMs: null });
    return await subject.arrive(caller);
  };
  return { ...subject, arrive };
});
