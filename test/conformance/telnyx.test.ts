/** Telnyx without its calls, emulated in a separate process: adapter and emulator share nothing but sockets. */
import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import type { CarrierEvent } from '../../src/carriers/ports/carrier.ts';
import { DOCUMENT_KINDS } from '../../src/carriers/ports/porting.ts';
import { newId } from '../../src/lib/ids.ts';
import { closeAfterTests } from '../support/close-after-tests.ts';
import { PDF } from '../support/port-ins.ts';
import { startTelnyxProcess } from '../telnyx/telnyx-process.ts';
import { describeE911Conformance } from './e911.ts';
import { describeMessagingConformance } from './messaging.ts';
import { describeNumbersConformance } from './numbers.ts';
import { describePortingConformance } from './porting.ts';
import { describeRegistryConformance } from './registry.ts';
import { useTelnyxAdapter } from './telnyx-adapter.ts';

const telnyx = await startTelnyxProcess({ roundTripMs: 0, stepMs: 10, retryMs: 10 });
closeAfterTests(() => telnyx.close());
const { carrier, ledger, reported, orderNumber } = await useTelnyxAdapter(telnyx);
const { numbers = assert.fail(), messaging = assert.fail() } = carrier;
const { registry = assert.fail(), e911 = assert.fail(), porting = assert.fail() } = carrier;

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

/** Returns the events without repeats: a port-in is reported at each change of one of its orders. */
function withoutRepeats(events: readonly CarrierEvent[]): CarrierEvent[] {
  return events.filter((event, at) => events.findIndex((earlier) => isDeepStrictEqual(earlier, event)) === at);
}

describePortingConformance('telnyx', async () => {
  // Slow enough that a port-in that is not cancelled continues after `pend`.
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
