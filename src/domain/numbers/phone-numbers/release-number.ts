import type { TeardownStep } from '../../../context.ts';
import type { Tx } from '../../../db/database.ts';
import { ApiError } from '../../../lib/errors/errors.ts';
import { type Ledger, type Scope, visible } from '../../../lib/scope.ts';
import { enqueue } from '../../../queue/jobs/enqueue.ts';
import { recordActions } from '../../audit/index.ts';
import { emitEvents } from '../../events/index.ts';
import { assignmentJob } from '../campaign-assignments/new-jobs.ts';
import { releaseJob } from './new-jobs.ts';
import { endNumberMonths } from './number-months.ts';
import { findNumber, lockNumber, type ReleasedNumber, releaseNumberRows } from './queries.ts';
import type { NumberStatus } from './rules.ts';
import type { PhoneNumber } from './schema.ts';

/**
 * Releases a number: its status becomes `released`, its references are cleared, and a job releases it at the carrier. A
 * released number is returned unchanged. Errors: phone_number_not_found, tenant_restricted_key.
 */
export async function releaseNumber(tx: Tx, scope: Scope, id: string): Promise<PhoneNumber> {
  visible(scope, await lockNumber(tx, scope, id), 'phone_number_not_found');
  await recordReleases(tx, scope, await releaseNumbers(tx, scope, { id }));
  const released = await findNumber(tx, scope, id);
  if (released === undefined) throw new ApiError('phone_number_not_found');
  return released;
}

/** Releases every number of a tenant that is being deleted. */
export const releaseTenantNumbers: TeardownStep = async (tx, scope, tenantId) => {
  const because = { because: 'tenant.deleted', tenant_id: tenantId };
  await recordReleases(tx, scope, await releaseNumbers(tx, scope, { tenantId }), because);
};

async function recordReleases(
  tx: Tx,
  scope: Scope,
  released: readonly ReleasedNumber[],
  details: Readonly<Record<string, unknown>> = {},
): Promise<void> {
  const entries = released.map(({ number }) => ({
    action: 'phone_number.released' as const,
    resourceId: number.id,
    tenantId: number.tenant_id,
    details,
  }));
  await recordActions(tx, scope, entries);
}

/** Releases the numbers that are not released yet, each with its event and the job that releases it at the carrier. */
export async function releaseNumbers(
  tx: Tx,
  ledger: Ledger,
  which: { id: string } | { tenantId: string },
): Promise<ReleasedNumber[]> {
  const released = await releaseNumberRows(tx, ledger, which);
  // Without a carrier_ref the order still runs: the code that records its outcome queues the release.
  const ordered = released.filter((release) => release.carrierRef !== null);
  await enqueue(
    tx,
    ordered.map(({ number }) => releaseJob(ledger, number.id)),
  );
  await concludeRelease(tx, ledger, released);
  return released;
}

/**
 * Releases a number that was ported away, or to another tenant. The carrier has moved the number and gets no request.
 */
export async function portOutNumber(tx: Tx, ledger: Ledger, id: string): Promise<void> {
  await concludeRelease(tx, ledger, await releaseNumberRows(tx, ledger, { id }));
}

async function concludeRelease(tx: Tx, ledger: Ledger, released: readonly ReleasedNumber[]): Promise<void> {
  const assigned = released.filter((release) => release.campaignId !== null);
  await enqueue(
    tx,
    assigned.map(({ number }) => assignmentJob(ledger, number.id)),
  );
  await endNumberMonths(
    tx,
    ledger,
    released.map(({ number }) => number.id),
  );
  await emitEvents(
    tx,
    ledger.ledgerId,
    released.map(({ number, previousStatus }) => statusChanged(number, previousStatus)),
  );
}

/** Returns the event of a number that has left `previousStatus`. */
export function statusChanged(number: PhoneNumber, previousStatus: NumberStatus) {
  return {
    type: 'number.status_changed',
    tenantId: number.tenant_id,
    resourceId: number.id,
    data: { ...number, previous_status: previousStatus },
  } as const;
}
