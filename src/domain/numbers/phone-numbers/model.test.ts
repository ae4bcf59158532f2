/** Tests every pair of a number's status and an input. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testLedger } from '../../../../test/support/events.ts';
import { useHarness } from '../../../../test/support/harness.ts';
import { sql } from '../../../../test/support/jobs.ts';
import { buyNumber, eventsOf, makeTenant } from '../../../../test/support/numbers.ts';
import { findLedger } from '../../../db/ledgers.ts';
import { NUMBER_STATUSES, type NumberStatus } from './rules.ts';
import { type OrderOutcome, settleOrder } from './settle-order.ts';

const harness = await useHarness({ startWorkers: false });

const ACCEPTED: OrderOutcome = { outcome: 'accepted', carrierRef: 'ref', capabilities: ['voice'], assigned: null };
const SETTLEMENTS: Readonly<Record<string, OrderOutcome>> = {
  'order accepted': ACCEPTED,
  'order rejected': { outcome: 'rejected', reason: 'number_unavailable' },
  'order unavailable': { outcome: 'unavailable' },
  'order unknown': { outcome: 'unknown' },
};
const INPUTS = [...Object.keys(SETTLEMENTS), 'update', 'release', 'delete tenant'];

/** The status after each input. An absent input changes nothing. */
const MODEL: Readonly<Record<NumberStatus, Readonly<Record<string, NumberStatus>>>> = {
  pending: {
    'order accepted': 'active',
    'order rejected': 'released',
    'order unavailable': 'released',
    release: 'released',
    'delete tenant': 'released',
  },
  active: {
    'order rejected': 'released',
    'order unavailable': 'released',
    release: 'released',
    'delete tenant': 'released',
  },
  suspended: {
    'order rejected': 'released',
    'order unavailable': 'released',
    release: 'released',
    'delete tenant': 'released',
  },
  released: {},
};

type Subject = { id: string; tenantId: string };

async function make(status: NumberStatus): Promise<Subject> {
  const tenantId = await makeTenant(harness);
  const { id } = await buyNumber(harness, tenantId);
  // Nothing suspends a number yet, and an order is `pending` only for a moment.
  const carrierRef = status === 'pending' ? null : 'ref';
  const text = 'update phone_numbers set status = $2, carrier_ref = $3 where id = $1';
  await sql(harness.context.db, text, [id, status, carrierRef]);
  return { id, tenantId };
}

async function happen({ id, tenantId }: Subject, input: string): Promise<number> {
  const outcome = SETTLEMENTS[input];
  if (outcome !== undefined) {
    const { db } = harness.context;
    const ledger = (await findLedger(db, await testLedger(harness))) ?? assert.fail();
    await db.transaction((tx) => settleOrder(tx, { ledger, numberId: id, by: 'reconciler' }, outcome));
    return 200;
  }
  if (input === 'delete tenant') return (await harness.call('DELETE', `/v1/tenants/${tenantId}`)).status;
  const body = { e911_address_id: null };
  const options = input === 'update' ? { body } : {};
  return (await harness.call(input === 'update' ? 'PATCH' : 'DELETE', `/v1/phone_numbers/${id}`, options)).status;
}

for (const status of NUMBER_STATUSES) {
  for (const input of INPUTS) {
    const expected = MODEL[status][input] ?? status;
    test(`${input} on a ${status} number: ${expected}`, async () => {
      const subject = await make(status);
      const before = (await eventsOf(harness, subject.id)).length;
      const code = await happen(subject, input);
      assert.equal(code === 404, input === 'update' && status === 'released', String(code));
      const { body } = await harness.call('GET', `/v1/phone_numbers/${subject.id}`);
      assert.equal(body.status, expected);
      const emitted = (await eventsOf(harness, subject.id)).slice(before);
      assert.deepEqual(
        emitted.map(({ data }) => [data.previous_status, data.status]),
        status === expected ? [] : [[status, expected]],
      );
    });
  }
}
