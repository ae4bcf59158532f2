/** The wire carrier in a separate process: adapter and carrier share nothing but sockets. */
import assert from 'node:assert/strict';
import { MAGIC } from '../../src/carriers/simulated/magic-numbers.ts';
import { closeAfterTests } from '../support/close-after-tests.ts';
import { newPerson } from '../support/messages.ts';
import { startWireProcess } from '../wire/wire-process.ts';
import { describeE911Conformance } from './e911.ts';
import { describeMessagingConformance } from './messaging.ts';
import { describeNumbersConformance } from './numbers.ts';
import { describePortingConformance, SIMULATED_PORTING } from './porting.ts';
import { describeRegistryConformance } from './registry.ts';
import { describeVoiceConformance } from './voice.ts';
import { useWireAdapter } from './wire-adapter.ts';

const wire = await startWireProcess({ roundTripMs: 0, works: false });
closeAfterTests(() => wire.close());
const { carrier, openLedger, orderNumber, openVoice } = await useWireAdapter(wire);

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

describeVoiceConformance('wire', () => openVoice('928'));
