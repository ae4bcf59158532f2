import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import type { CarrierEvent } from '../../src/carriers/ports/carrier.ts';
import { MAGIC } from '../../src/carriers/simulated/magic-numbers.ts';
import { newId } from '../../src/lib/ids.ts';
import type { Ledger } from '../../src/lib/scope.ts';
import { closeAfterTests } from '../support/close-after-tests.ts';
import { newPerson } from '../support/messages.ts';
import { connectWire, readCallback } from '../wire/adapter.ts';
import { startWire } from '../wire/wire-process.ts';
import { describeAudioConformance } from './audio.ts';
import { describeE911Conformance } from './e911.ts';
import { describeFrontDeskConformance } from './front-desk.ts';
import { describeMessagingConformance } from './messaging.ts';
import { describeNumbersConformance } from './numbers.ts';
import { describePortingConformance, SIMULATED_PORTING } from './porting.ts';
import { describeRegistryConformance } from './registry.ts';
import { describeVoiceConformance, type VoiceSubject } from './voice.ts';

const wire = await startWire({ roundTripMs: 0, works: false });
closeAfterTests(() => wire.close());
const receiver = createServer().listen(0, '127.0.0.1');
await once(receiver, 'listening');
closeAfterTests(async () => {
  receiver.closeAllConnections();
  receiver.close();
});

const { carrier, ingress, setup } = connectWire({
  id: newId('carrier_connection'),
  name: 'wire',
  settings: { url: wire.url, public_url: `http://127.0.0.1:${(receiver.address() as AddressInfo).port}` },
  credentials: { key: wire.key, secret: wire.secret },
});
await setup();

/** The events that were reported, by the name of their ledger. */
const reported = new Map<string, CarrierEvent[]>();
const seen = new Set<string>();
receiver.on('request', async (request, response) => {
  const { headers } = request;
  const notices = ingress?.read({ path: '', headers, body: await buffer(request), now: new Date() });
  if (!Array.isArray(notices)) return response.writeHead(401).end();
  for (const { id, body } of notices) {
    const { ledger, event } = readCallback(body);
    if (!seen.has(id)) reported.set(ledger, [...(reported.get(ledger) ?? []), event]);
    seen.add(id);
  }
  return response.end();
});

let ledgers = 0;

/** Opens a ledger of its own at the carrier. `advance` moves its clock and returns the events since the last call. */
function openLedger() {
  const ledger: Ledger = { ledgerId: ++ledgers, accountId: 'acct_1', mode: 'live' };
  const name = String(ledger.ledgerId);
  const advance = async (seconds: number): Promise<CarrierEvent[]> => {
    await wire.people.advance({ ledger: name, seconds });
    return reported.get(name)?.splice(0) ?? [];
  };
  return { ledger, advance, close: async () => undefined };
}

/** Orders a number that no other ledger has. */
async function orderNumber(ledger: Ledger, areaCode: string): Promise<string> {
  const [onSale] = (await carrier.numbers?.search(ledger, { areaCode, limit: 1 })) ?? [];
  const phoneNumber = onSale?.phone_number ?? assert.fail('nothing is on sale');
  const tenant = { id: newId('tenant'), name: 'Wire' };
  const order = await carrier.numbers?.order(ledger, { ref: newId('phone_number'), phoneNumber, tenant });
  assert.equal(order?.outcome, 'accepted');
  return phoneNumber;
}

describeNumbersConformance('wire', async () => ({ ...openLedger(), numbers: carrier.numbers ?? assert.fail() }));

describeMessagingConformance('wire', async () => {
  const { ledger, advance, close } = openLedger();
  const from = await orderNumber(ledger, '480');
  return {
    messaging: carrier.messaging ?? assert.fail(),
    ledger,
    from,
    to: { delivered: newPerson(), undeliverable: MAGIC.deliveryFails, unavailable: MAGIC.sendFails },
    settle: () => advance(5),
    countReceived: (to, body) => wire.people.received({ to, body }),
    textBack: async (person, body) => {
      await wire.people.textIn({ from: person, to: from, body });
    },
    close,
  };
});

describeRegistryConformance('wire', async () => {
  const { ledger, advance, close } = openLedger();
  return {
    registry: carrier.registry ?? assert.fail(),
    ledger,
    phoneNumber: await orderNumber(ledger, '602'),
    suspend: async ({ ref }) => {
      await wire.people.decide({ ref, kind: 'campaign', status: 'suspended', reason: 'Too many complaints' });
    },
    settle: () => advance(0),
    close,
  };
});

describeE911Conformance('wire', async () => {
  const { ledger, close } = openLedger();
  const good = { street: '100 N Central Ave', unit: null, city: 'Phoenix', state: 'AZ', postal_code: '85004' };
  return {
    e911: carrier.e911 ?? assert.fail(),
    ledger,
    phoneNumber: await orderNumber(ledger, '602'),
    good,
    bad: { ...good, street: 'Main St', state: 'NV' },
    close,
  };
});

describePortingConformance('wire', async () => {
  const { ledger, advance, close } = openLedger();
  return { porting: carrier.porting ?? assert.fail(), ledger, ...SIMULATED_PORTING, settle: () => advance(11), close };
});

/** Opens a ledger whose people can be called, and call. */
async function openVoice(areaCode: string): Promise<VoiceSubject> {
  const { ledger, advance, close } = openLedger();
  const number = await orderNumber(ledger, areaCode);
  const kept: CarrierEvent[] = [];
  return {
    voice: carrier.voice ?? assert.fail(),
    ledger,
    number,
    person: newPerson,
    absent: MAGIC.neverAnswers,
    unstreamable: MAGIC.streamFails,
    arrive: async (caller) => {
      const { callRef } = await wire.people.callIn({ from: caller, to: number });
      for (const event of await advance(0)) {
        if (event.type === 'call.arrived' && event.callRef === callRef) return { callRef, legRef: event.legRef };
        kept.push(event);
      }
      return assert.fail('the arrival was not reported');
    },
    settle: async (seconds) => [...kept.splice(0), ...(await advance(seconds))],
    close,
  };
}

describeVoiceConformance('wire', () => openVoice('928'));
describeAudioConformance('wire', () => openVoice('520'));
describeFrontDeskConformance('wire', () => openVoice('623'));
