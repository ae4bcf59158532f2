import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { isDeepStrictEqual } from 'node:util';
import type { CarrierEvent } from '../../src/carriers/ports/carrier.ts';
import { DOCUMENT_KINDS } from '../../src/carriers/ports/porting.ts';
import { TELNYX_KIND } from '../../src/carriers/telnyx/index.ts';
import { newId } from '../../src/lib/ids.ts';
import type { Ledger } from '../../src/lib/scope.ts';
import { closeAfterTests } from '../support/close-after-tests.ts';
import { useHarness } from '../support/harness.ts';
import { silentLog } from '../support/jobs.ts';
import { addConnection } from '../support/live-network.ts';
import { fund } from '../support/money.ts';
import { PDF } from '../support/port-ins.ts';
import { startTelnyx } from '../telnyx/telnyx-process.ts';
import { describeE911Conformance } from './e911.ts';
import { describeMessagingConformance } from './messaging.ts';
import { describeNumbersConformance } from './numbers.ts';
import { describePortingConformance } from './porting.ts';
import { describeRegistryConformance } from './registry.ts';

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
  settings: { public_url, api_url: telnyx.url },
  credentials: { key: telnyx.apiKey, public_key: telnyx.publicKey },
};
const id = await addConnection(context, { kind: 'telnyx', ...connection, capabilities: [] });
const parts = { db, log: silentLog } as never;
const { carrier, ingress, close } = TELNYX_KIND.make(parts).connect({ id, ...connection });
closeAfterTests(() => close?.());
const { numbers = assert.fail(), messaging = assert.fail() } = carrier;
const { registry = assert.fail(), e911 = assert.fail(), porting = assert.fail() } = carrier;

/** The events that were reported and not read yet. */
const reported: CarrierEvent[] = [];
receiver.on('request', async (request, response) => {
  const { headers } = request;
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
  // A cancellation must come before the numbers do.
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
    settle: async () => {
      await telnyx.control.settled({});
      return withoutRepeats(reported.splice(0));
    },
    close: async () => {
      await telnyx.control.set({ stepMs: 10 });
    },
  };
});
