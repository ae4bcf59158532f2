import { randomUUID } from 'node:crypto';
import type { PortOutReport, PortOutStatus } from '../../../carriers/ports/numbers.ts';
import type { Tx } from '../../../db/database.ts';
import { ledgerNow } from '../../../db/ledgers.ts';
import { ApiError } from '../../../lib/errors/errors.ts';
import type { Ledger, Scope } from '../../../lib/scope.ts';
import { emitEvent } from '../../events/index.ts';
import { lockLeaving, type PortOut, putPortOut } from './port-out-queries.ts';
import { findNumber, getPhoneNumber } from './queries.ts';
import { portOutNumber } from './release-number.ts';
import type { PhoneNumber } from './schema.ts';

/**
 * Records the progress of a number's move to another carrier, and emits number.port_out. A ported number ends like a
 * released one. Returns the number. Changes nothing and returns undefined for a report that is repeated, older than the
 * newest one, or about a number that is not in service.
 */
export async function recordPortOut(
  tx: Tx,
  ledger: Ledger,
  report: Omit<PortOutReport, 'type'>,
): Promise<PhoneNumber | undefined> {
  const leaving = await lockLeaving(tx, ledger, report);
  if (leaving === undefined) return undefined;
  const { number, before } = leaving;
  if (before !== undefined && !isNews(before, report)) return undefined;
  const { status, occurredAt: reportedAt } = report;
  const isSame = before !== undefined && isSameRequest(before, report);
  const carrierRef = report.carrierRef ?? (isSame ? before.carrierRef : null);
  const carrierName = report.carrierName ?? (isSame ? before.carrierName : null);
  await putPortOut(tx, ledger, number.id, { carrierRef, status, carrierName, reportedAt });
  if (status === 'ported') await portOutNumber(tx, ledger, number.id);
  const now = (await findNumber(tx, ledger, number.id)) ?? number;
  await emitEvent(tx, ledger.ledgerId, {
    type: 'number.port_out',
    tenantId: now.tenant_id,
    resourceId: now.id,
    data: { ...now, port_out: { status, carrier_name: carrierName, reason: report.reason } },
  });
  return now;
}

/** A report without the id of a request is about the newest one. */
function isSameRequest(before: PortOut, { carrierRef }: Pick<PortOutReport, 'carrierRef'>): boolean {
  return carrierRef === null || carrierRef === before.carrierRef;
}

function isNews(before: PortOut, report: Omit<PortOutReport, 'type'>): boolean {
  if (report.occurredAt < before.reportedAt) return false;
  // A request that was rejected or carried out does not change again. One exception: the number may still be ported.
  const isOver = before.status !== 'pending' && report.status !== 'ported';
  return !isSameRequest(before, report) || (before.status !== report.status && !isOver);
}

type Simulation = {
  readonly status: PortOutStatus;
  readonly carrierName: string | null;
  readonly reason: string | null;
};

/**
 * Records a report that a caller makes in the carrier's place. Errors: phone_number_not_found, tenant_restricted_key,
 * review_not_pending for a number that is not in service, or a status that the carrier could not report now.
 */
export async function simulatePortOut(tx: Tx, scope: Scope, id: string, play: Simulation): Promise<PhoneNumber> {
  const { phone_number: phoneNumber } = await getPhoneNumber(tx, scope, id);
  const carrierRef = play.status === 'pending' ? randomUUID() : null;
  const report = { ...play, phoneNumber, carrierRef, occurredAt: await ledgerNow(tx, scope.ledgerId) };
  const number = await recordPortOut(tx, scope, report);
  if (number?.id !== id) throw new ApiError('review_not_pending');
  return number;
}
