import assert from 'node:assert/strict';
import { describeVoiceConformance } from '../../../../test/conformance/voice.ts';
import { openJobsDatabase, silentLog } from '../../../../test/support/jobs.ts';
import { newPerson } from '../../../../test/support/messages.ts';
import { newId } from '../../../lib/ids.ts';
import type { Ledger } from '../../../lib/scope.ts';
import { createWorkers } from '../../../queue/worker/workers.ts';
import { createSynthesizer } from '../../../speech/speech-synthesis.ts';
import { advanceLedgerClock } from '../../../test-clock/ledger-clock.ts';
import type { CarrierEvent } from '../../ports/carrier.ts';
import { createSimulatedCarrier } from '../index.ts';
import { MAGIC } from '../magic-numbers.ts';
import { insertLeg, openCall } from './queries.ts';

describeVoiceConformance('simulated', async () => {
  const { db, ledgerId, close } = await openJobsDatabase();
  const ledger: Ledger = { ledgerId, accountId: 'acct_1', mode: 'test' };
  let events: CarrierEvent[] = [];
  const { carrier, handlers } = createSimulatedCarrier({
    db,
    sink: async () => assert.fail('what happens on calls is taken in with their books'),
    takeEvents: async (_tx, _ledger, more) => {
      events.push(...more);
    },
    synthesizer: createSynthesizer({ log: silentLog }),
  });
  const workers = createWorkers({ db, log: silentLog, handlers, queues: { voice: 2 } });
  return {
    voice: carrier.voice ?? assert.fail(),
    ledger,
    number: '+16025550100',
    person: newPerson,
    absent: MAGIC.neverAnswers,
    unstreamable: MAGIC.streamFails,
    arrive: async (address) => {
      const refs = { callRef: newId('call'), legRef: newId('call_leg') };
      const leg = { leg_ref: refs.legRef, call_ref: refs.callRef, party: 'customer', address, dialled: false } as const;
      await db.transaction(async (tx) => {
        await openCall(tx, ledgerId, refs.callRef, null);
        await insertLeg(tx, ledgerId, { ...leg, state: 'ringing' });
      });
      return refs;
    },
    settle: async (seconds) => {
      await advanceLedgerClock({ db, log: silentLog, workers, ledgerId, advanceMs: seconds * 1000 });
      const settled = events;
      events = [];
      return settled;
    },
    close: async () => {
      await workers.stop({ deadlineMs: 50 });
      await close();
    },
  };
});
