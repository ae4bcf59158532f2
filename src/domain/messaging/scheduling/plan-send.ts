import type { Db } from '../../../db/database.ts';
import { ApiError } from '../../../lib/errors/errors.ts';
import { zonesOfNumber } from '../../../lib/phone/number-zones.ts';
import type { Scope } from '../../../lib/scope.ts';
import { type NumberFacts, readNumberFacts } from './queries.ts';
import { endOfQuiet } from './quiet-hours.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
/** A request may take this long to arrive. The sender computes its time before that. */
const TRANSIT_MS = 500;
/** How far ahead a text may be scheduled. */
const AHEAD_MS = { min: MINUTE_MS - TRANSIT_MS, max: 30 * DAY_MS } as const;

/** The requested time of a text. */
export type Timing = {
  readonly from: string;
  readonly to: string;
  /** The time that the request gives, or null for now. */
  readonly sendAt: Date | null;
  readonly respectsQuietHours: boolean;
};

/**
 * Decides when a text is sent: at its requested time, or now. In quiet hours of its tenant it waits for their end, if
 * it respects them or they apply to all texts of its kind. A text without a requested time does not wait if it replies
 * within 10 minutes to a text of the recipient.
 * @returns the time, or null for at once; and the tenant of the number, null if there is no such number
 * Error: invalid_send_at.
 */
export async function planSend(
  db: Db,
  scope: Scope,
  { from, to, sendAt, respectsQuietHours }: Timing,
): Promise<{ sendAt: Date | null; tenantId: string | null }> {
  const { now, number } = await readNumberFacts(db, scope, { from, to });
  if (sendAt !== null) checkAhead(sendAt.getTime() - now.getTime());
  const tenantId = number?.tenant_id ?? null;
  if (number === null) return { sendAt, tenantId };
  if (!respectsQuietHours && !appliesUnasked(number)) return { sendAt, tenantId };
  const end = sendAt === null && number.is_reply ? null : endOfTenantQuiet(sendAt ?? now, number, to);
  return { sendAt: end ?? sendAt, tenantId };
}

/** Returns when the quiet hours that hold now end, for a person and the tenant of a number; null outside of them. */
export async function readQuietEnd(
  db: Db,
  scope: Scope,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<Date | null> {
  const { now, number } = await readNumberFacts(db, scope, { from, to });
  return number === null ? null : endOfTenantQuiet(now, number, to);
}

function checkAhead(aheadMs: number): void {
  if (aheadMs < AHEAD_MS.min || aheadMs > AHEAD_MS.max) throw new ApiError('invalid_send_at', { param: 'send_at' });
}

const MARKETING: ReadonlySet<string | null> = new Set(['marketing', 'mixed']);

/** True if the tenant's quiet hours apply to a text of the number that does not mention them. */
function appliesUnasked({ quiet_hours, use_case }: NumberFacts): boolean {
  if (quiet_hours === null || !('applies_to' in quiet_hours)) return false;
  return quiet_hours.applies_to === 'all' || (quiet_hours.applies_to === 'marketing' && MARKETING.has(use_case));
}

function endOfTenantQuiet(at: Date, { quiet_hours, timezone }: NumberFacts, to: string): Date | null {
  if (quiet_hours === null) return null;
  const zones = quiet_hours.zone === 'recipient' ? zonesOfNumber(to) : [];
  return endOfQuiet(at, quiet_hours, zones.length === 0 ? [timezone] : zones);
}
