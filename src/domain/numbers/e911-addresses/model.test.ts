/** Tests every pair of an emergency address's status and the carrier's outcome. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testLedger } from '../../../../test/support/events.ts';
import { useHarness } from '../../../../test/support/harness.ts';
import { sql } from '../../../../test/support/jobs.ts';
import { makeTenant } from '../../../../test/support/numbers.ts';
import { findLedger } from '../../../db/ledgers.ts';
import { ADDRESS_STATUSES, type AddressStatus } from './rules.ts';
import { type AddressOutcome, type Registration, settleAddress } from './settle-address.ts';

const harness = await useHarness({ startWorkers: false });

const OUTCOMES: Readonly<Record<string, AddressOutcome>> = {
  accepted: { outcome: 'accepted', carrierRef: 'ref' },
  rejected: { outcome: 'rejected', reason: 'address_not_found', suggestions: [] },
  unavailable: { outcome: 'unavailable' },
  unknown: { outcome: 'unknown' },
};

type End = AddressStatus | 'gone';

/** The final status of a `pending` address. A decided address stays unchanged, whatever outcome follows. */
const OF_PENDING: Readonly<Record<string, Readonly<Record<Registration['by'], End>>>> = {
  accepted: { request: 'validated', reconciler: 'validated' },
  rejected: { request: 'gone', reconciler: 'rejected' },
  unavailable: { request: 'gone', reconciler: 'rejected' },
  unknown: { request: 'pending', reconciler: 'pending' },
};

async function make(status: AddressStatus): Promise<string> {
  const place = { street: '100 N Central Ave', city: 'Phoenix', state: 'AZ', postal_code: '85004' };
  const body = { tenant_id: await makeTenant(harness), ...place };
  const reply = await harness.call('POST', '/v1/e911_addresses', { body });
  assert.equal(reply.status, 201, JSON.stringify(reply.body));
  await sql(harness.context.db, 'update e911_addresses set status = $2 where id = $1', [reply.body.id, status]);
  return reply.body.id;
}

for (const status of ADDRESS_STATUSES) {
  for (const [said, outcome] of Object.entries(OUTCOMES)) {
    for (const by of ['request', 'reconciler'] as const) {
      const expected = status === 'pending' ? (OF_PENDING[said]?.[by] ?? assert.fail()) : status;
      test(`${said}, recorded by the ${by}, for a ${status} address: ${expected}`, async () => {
        const addressId = await make(status);
        const { db } = harness.context;
        const ledger = (await findLedger(db, await testLedger(harness))) ?? assert.fail();
        await db.transaction((tx) => settleAddress(tx, { ledger, addressId, connectionId: null, by }, outcome));
        const reply = await harness.call('GET', `/v1/e911_addresses/${addressId}`);
        assert.equal(reply.status === 404 ? 'gone' : reply.body.status, expected);
      });
    }
  }
}
