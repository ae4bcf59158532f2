import assert from 'node:assert/strict';
import { describeVoiceConformance } from '../../../../test/conformance/voice.ts';
import { openJobsDatabase, silentLog } from '../../../../test/support/jobs.ts';
import { newPerson } from '../../../../test/support/messages.ts';
import { newId } from '../../../lib/ids.ts';
import type { Ledger } from '../../../lib/scope.ts';
import { createWorkers } from '../../../queue/worker/workers.ts';
import { SIMULATED_DOMAIN } from '../../../server/simulated-domain.ts';
import { createSynthesizer } from '../../../speech/speech-synthesis.ts';
import { advanceLedgerClock } from '../../../test-clock/ledger-clock.ts';
import type { CarrierEvent } from '../../ports/carrier.ts';
import { createSimulatedCarrier } from '../index.ts';
import { MAGIC } from '../magic-numbers.ts';
import { newCall, newLeg } from './call.ts';
import { insertCall } from './queries.ts';

describeVoiceConformance('simulated', async () => {
  const { db, ledgerId, close } = await openJobsDatabase();
  const ledger: Ledger = { ledgerId, accountId: 'acct_1', mode: 'test' };
  let events: CarrierEvent[] = [];
  const { carrier, handlers } = createSimulatedCarrier({
    db,
    sink: async () => assert.fail('events of calls are handed over in the transaction of their step'),
    takeEvents: async (_tx, _ledger, more) => {
      events.push(...more);
    },
    domain: SIMULATED_DOMAIN,
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
      const leg = newLeg({ leg_ref: refs.legRef, party: 'customer', address, dialled: false, state: 'ringing' });
      await db.transaction((tx) => insertCall(tx, ledgerId, { ...newCall(refs.callRef), legs: [leg] }));
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
