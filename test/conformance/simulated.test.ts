import assert from 'node:assert/strict';
import type { CarrierEvent } from '../../src/carriers/ports/carrier.ts';
import { isVoiceEvent } from '../../src/carriers/ports/voice.ts';
import { createSimulatedCarrier } from '../../src/carriers/simulated/index.ts';
import { MAGIC } from '../../src/carriers/simulated/magic-numbers.ts';
import { decideRegistration } from '../../src/carriers/simulated/registry-queries.ts';
import { newCall, newLeg } from '../../src/carriers/simulated/voice/call.ts';
import { insertCall } from '../../src/carriers/simulated/voice/queries.ts';
import { newId } from '../../src/lib/ids.ts';
import type { Ledger } from '../../src/lib/scope.ts';
import { createWorkers } from '../../src/queue/worker/workers.ts';
import { SIMULATED_DOMAIN } from '../../src/server/parts/simulated-domain.ts';
import { createSynthesizer } from '../../src/speech/speech-synthesis.ts';
import { advanceLedgerClock } from '../../src/test-clock/ledger-clock.ts';
import { openJobsDatabase, silentLog, sql } from '../support/jobs.ts';
import { newPerson } from '../support/messages.ts';
import { describeAgentConformance, describeAudioConformance } from './audio.ts';
import { describeE911Conformance } from './e911.ts';
import { describeFrontDeskConformance } from './front-desk.ts';
import { describeMachineConformance } from './machines.ts';
import { describeMessagingConformance } from './messaging.ts';
import { describeNumbersConformance } from './numbers.ts';
import { describePortingConformance, SIMULATED_PORTING } from './porting.ts';
import { describeRecordingControl } from './recording-control.ts';
import { describeRegistryConformance } from './registry.ts';
import { describeVoiceConformance, type VoiceSubject } from './voice.ts';

/**
 * Opens the simulated carrier on its own database. `advance` moves its clock and returns the events since the last
 * call.
 */
async function openCarrier() {
  const { db, ledgerId, close } = await openJobsDatabase();
  const ledger: Ledger = { ledgerId, accountId: 'acct_1', mode: 'test' };
  const events: CarrierEvent[] = [];
  const { network, jobs: handlers } = createSimulatedCarrier({
    db,
    log: silentLog,
    sink: async (_ledger, more) => {
      assert.ok(!more.some(isVoiceEvent), 'the events of calls come in the transaction of their change');
      events.push(...more);
    },
    takeEvents: async (_tx, _ledger, more) => {
      events.push(...more);
    },
    synthesizer: createSynthesizer({ log: silentLog }),
    domain: SIMULATED_DOMAIN,
  });
  const workers = createWorkers({ db, log: silentLog, handlers, queues: { messaging: 2, voice: 2, default: 2 } });
  return {
    db,
    ledger,
    carrier: network.carrier,
    advance: async (seconds: number) => {
      await advanceLedgerClock({ db, log: silentLog, workers, ledgerId, advanceMs: seconds * 1000 });
      return events.splice(0);
    },
    close: async () => {
      await workers.stop({ deadlineMs: 50 });
      await close();
    },
  };
}

const OWN_NUMBER = '+16025550100';

describeNumbersConformance('simulated', async () => {
  const { carrier, ...subject } = await openCarrier();
  return { ...subject, numbers: carrier.numbers ?? assert.fail() };
});

describeMessagingConformance('simulated', async () => {
  const { carrier, db, ledger, advance, close } = await openCarrier();
  const messaging = carrier.messaging ?? assert.fail();
  // A text to a number of the ledger comes in as an inbound text: that is how a person texts back.
  const order = 'insert into simulated_numbers (ledger_id, phone_number, order_ref) values ($1, $2, $2)';
  await sql(db, order, [ledger.ledgerId, OWN_NUMBER]);
  return {
    messaging,
    ledger,
    from: OWN_NUMBER,
    to: { delivered: '+16025550199', undeliverable: MAGIC.deliveryFails, unavailable: MAGIC.sendFails },
    settle: () => advance(5),
    countReceived: async (to, body) => {
      const received = `select 1 from simulated_messages where "to" = $1 and body = $2 and status <> 'failed'`;
      return (await sql(db, received, [to, body])).length;
    },
    textBack: async (person, body) => {
      await messaging.send(ledger, { ref: newId('message'), from: person, to: OWN_NUMBER, body, mediaUrls: [] });
    },
    close,
  };
});

describeRegistryConformance('simulated', async () => {
  const { carrier, db, ledger, advance, close } = await openCarrier();
  return {
    registry: carrier.registry ?? assert.fail(),
    ledger,
    phoneNumber: OWN_NUMBER,
    suspend: ({ ref }) => decideRegistration(db, ledger, { ref, status: 'suspended', reason: 'Too many complaints' }),
    settle: () => advance(0),
    close,
  };
});

describeE911Conformance('simulated', async () => {
  const { carrier, ledger, close } = await openCarrier();
  const good = { street: '100 N Central Ave', unit: null, city: 'Phoenix', state: 'AZ', postal_code: '85004' };
  return {
    e911: carrier.e911 ?? assert.fail(),
    ledger,
    phoneNumber: OWN_NUMBER,
    good,
    bad: { ...good, street: 'Main St', state: 'NV' },
    close,
  };
});

describePortingConformance('simulated', async () => {
  const { carrier, ledger, advance, close } = await openCarrier();
  return { porting: carrier.porting ?? assert.fail(), ledger, ...SIMULATED_PORTING, settle: () => advance(11), close };
});

/** Opens a ledger whose people can be called, and call. */
async function openVoice(): Promise<VoiceSubject> {
  const { carrier, db, ledger, advance, close } = await openCarrier();
  return {
    voice: carrier.voice ?? assert.fail(),
    ledger,
    number: OWN_NUMBER,
    person: newPerson,
    absent: MAGIC.neverAnswers,
    unstreamable: MAGIC.streamFails,
    arrive: async (address) => {
      const refs = { callRef: newId('call'), legRef: newId('call_leg') };
      const leg = newLeg({ leg_ref: refs.legRef, party: 'customer', address, dialled: false, state: 'ringing' });
      await db.transaction((tx) => insertCall(tx, ledger.ledgerId, { ...newCall(refs.callRef), legs: [leg] }));
      return refs;
    },
    settle: advance,
    close,
  };
}

describeVoiceConformance('simulated', openVoice);
describeAudioConformance('simulated', openVoice);
describeAgentConformance('simulated', openVoice);
describeFrontDeskConformance('simulated', openVoice);
describeRecordingControl('simulated', openVoice);
describeMachineConformance('simulated', async () => ({
  ...(await openVoice()),
  answeredBy: { machine: MAGIC.machine, fax: MAGIC.fax },
}));
