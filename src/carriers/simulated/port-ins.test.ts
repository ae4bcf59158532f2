import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeE911Conformance } from '../../../test/conformance/e911.ts';
import { describePortingConformance } from '../../../test/conformance/porting.ts';
import { openJobsDatabase, silentLog } from '../../../test/support/jobs.ts';
import type { Ledger } from '../../lib/scope.ts';
import { createWorkers } from '../../queue/worker/workers.ts';
import { SIMULATED_DOMAIN } from '../../server/simulated-domain.ts';
import { createSynthesizer } from '../../speech/speech-synthesis.ts';
import { advanceLedgerClock } from '../../test-clock/ledger-clock.ts';
import type { CarrierEvent } from '../ports/carrier.ts';
import { examineAddress } from './addresses.ts';
import { createSimulatedCarrier } from './index.ts';
import { MAGIC } from './magic-numbers.ts';
import { statesOfZip, zipOfState } from './zip-prefixes.ts';

const GOOD = { street: '100 N Central Ave', unit: null, city: 'Phoenix', state: 'AZ', postal_code: '85004' };

async function open() {
  const { db, ledgerId, close } = await openJobsDatabase();
  const ledger: Ledger = { ledgerId, accountId: 'acct_1', mode: 'test' };
  let events: CarrierEvent[] = [];
  const { carrier, handlers } = createSimulatedCarrier({
    db,
    sink: async (_, more) => {
      events.push(...more);
    },
    takeEvents: () => assert.fail('nobody calls'),
    domain: SIMULATED_DOMAIN,
    synthesizer: createSynthesizer({ log: silentLog }),
  });
  const { e911 = assert.fail(), porting = assert.fail() } = carrier;
  const workers = createWorkers({ db, log: silentLog, handlers, queues: { default: 2 } });
  const settle = async () => {
    await advanceLedgerClock({ db, log: silentLog, workers, ledgerId, advanceMs: 11_000 });
    const settled = events;
    events = [];
    return settled;
  };
  const stop = async () => {
    await workers.stop({ deadlineMs: 50 });
    await close();
  };
  return { ledger, e911, porting, settle, close: stop };
}

describeE911Conformance('simulated', async () => {
  const { e911, ledger, close } = await open();
  return {
    e911,
    ledger,
    close,
    phoneNumber: '+16025550100',
    good: GOOD,
    bad: { ...GOOD, street: 'Main St', state: 'NV' },
  };
});

let ported = 0;
describePortingConformance('simulated', async () => ({
  ...(await open()),
  portable: () => `+1520555${String(3000 + ported++)}`,
  bound: MAGIC.notPortable,
  elsewhere: MAGIC.portedFromElsewhere,
  troubled: MAGIC.portNeedsAction,
}));

test('ZIP prefixes know their states', () => {
  const known: [string, string[]][] = [
    ['85004', ['AZ']],
    ['10001-1234', ['NY']],
    ['00501', ['NY']],
    ['02134', ['MA']],
    ['06390', ['CT', 'NY']],
    ['20001', ['DC']],
    ['73301', ['TX']],
    ['96799', ['AS', 'HI']],
    ['99999', ['AK']],
    ['00000', []],
    ['00100', []],
    ['34012', []],
  ];
  for (const [zip, states] of known) assert.deepEqual([...statesOfZip(zip)].sort(), states, zip);
});

test('every state has a ZIP code of its own, and what is no state has none', () => {
  for (const state of ['AZ', 'CA', 'DC', 'GU', 'MP', 'NY', 'PR', 'VI']) {
    assert.ok(statesOfZip(zipOfState(state) ?? '').includes(state), state);
  }
  assert.deepEqual([zipOfState('AZ'), zipOfState('NY'), zipOfState('ZZ')], ['85001', '10001', undefined]);
});

test('an address is examined by its ZIP code, its state and its house number', () => {
  const reasonOf = (change: object) => examineAddress({ ...GOOD, ...change })?.reason;
  assert.equal(reasonOf({}), undefined);
  assert.equal(reasonOf({ street: 'N6W23001 Bluemound Rd', state: 'WI', postal_code: '53188' }), undefined);
  assert.equal(reasonOf({ postal_code: '00000' }), 'address_not_found');
  assert.equal(reasonOf({ postal_code: '00000-1234' }), 'address_not_found');
  assert.equal(reasonOf({ street: 'P.O. Box 12' }), 'address_not_found');
  assert.equal(reasonOf({ state: 'ZZ' }), 'state_mismatch');
  assert.equal(reasonOf({ street: 'Main St' }), 'house_number_missing');
});
