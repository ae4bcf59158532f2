import type { CarrierEvent } from '../../../carriers/ports/carrier.ts';
import type { Tx } from '../../../db/database.ts';
import { ApiError } from '../../../lib/errors/errors.ts';
import type { Ledger, Scope } from '../../../lib/scope.ts';
import { emitEvent } from '../../events/index.ts';
import { findOwnedNumber } from '../../numbers/index.ts';
import { getTenant } from '../../tenants/index.ts';
import {
  claimMoment,
  deleteOptOut,
  findOptOut,
  type InLedger,
  insertOptOut,
  type NewOptOut,
  type OptOutKey,
} from './queries.ts';
import { isRemovable, OPT_OUT_CHANNELS, OPT_OUT_SOURCES, type OptOutSource, optOutResourceId } from './rules.ts';
import type { CreateOptOut, OptOut } from './schema.ts';

/** Opts a number out and emits opt_out.created. Returns undefined if an existing opt-out does not change. */
export async function optOut(tx: Tx, ledger: InLedger, key: OptOutKey, wanted: NewOptOut): Promise<OptOut | undefined> {
  const created = await insertOptOut(tx, ledger, key, wanted);
  if (created !== undefined) await emitChange(tx, ledger, 'opt_out.created', created);
  return created;
}

/**
 * Records that the carrier blocks the tenant's texts to a person, unless the person has texted START since.
 * @param sentAt when the blocked text was sent; absent if it was sent now
 */
export async function recordBlock(tx: Tx, ledger: Ledger, key: OptOutKey, sentAt?: Date): Promise<void> {
  if (await claimMoment(tx, ledger, key, sentAt)) await optOut(tx, ledger, key, { source: 'carrier' });
}

/** Records an opt-out that the carrier reports, for the tenant of the number. An unknown number is ignored. */
export async function recordOptOut(
  tx: Tx,
  ledger: Ledger,
  { phoneNumber, externalNumber }: Extract<CarrierEvent, { type: 'opt_out.reported' }>,
): Promise<void> {
  const number = await findOwnedNumber(tx, ledger, phoneNumber);
  if (number === undefined) return;
  await recordBlock(tx, ledger, { tenantId: number.tenant_id, externalNumber });
}

/** Allows texts to a number again and emits opt_out.removed; undefined if they were allowed. */
export async function optIn(
  tx: Tx,
  ledger: Ledger,
  key: OptOutKey,
  sources: readonly OptOutSource[] = OPT_OUT_SOURCES,
): Promise<OptOut | undefined> {
  const removed = await deleteOptOut(tx, ledger, key, sources);
  if (removed !== undefined) await emitChange(tx, ledger, 'opt_out.removed', removed);
  return removed;
}

async function emitChange(
  tx: Tx,
  { ledgerId }: InLedger,
  type: 'opt_out.created' | 'opt_out.removed',
  data: OptOut,
): Promise<void> {
  const { tenant_id: tenantId, external_number } = data;
  await emitEvent(tx, ledgerId, { type, tenantId, resourceId: optOutResourceId(tenantId, external_number), data });
}

/** Checks the rule that the schema cannot express: an import is of both channels. Errors: invalid_body. */
export function checkOptOut({ source, channels }: CreateOptOut): void {
  const isPartial = channels !== undefined && channels.length < OPT_OUT_CHANNELS.length;
  if (source === 'import' && isPartial) {
    throw new ApiError('invalid_body', { param: 'channels', message: 'An import is of both.' });
  }
}

/**
 * Creates an opt-out for an API caller. The fields have been checked (`checkOptOut`). An existing opt-out stays
 * unchanged, unless a channel is added to it. Errors: tenant_not_found.
 */
export async function createOptOut(tx: Tx, scope: Scope, wanted: CreateOptOut): Promise<OptOut> {
  const tenant = await getTenant(tx, scope, wanted.tenant_id);
  const key = { tenantId: tenant.id, externalNumber: wanted.external_number };
  return await ensureOptOut(tx, scope, key, { source: wanted.source ?? 'api', channels: wanted.channels });
}

/** Creates the opt-out of a person and returns it, or returns the existing one unchanged. */
async function ensureOptOut(tx: Tx, ledger: InLedger, key: OptOutKey, wanted: NewOptOut): Promise<OptOut> {
  for (;;) {
    const created = await optOut(tx, ledger, key, wanted);
    if (created !== undefined) return created;
    const kept = await findOptOut(tx, ledger, key);
    // The opt-out was not created because it existed, and not found because it was removed since.
    if (kept !== undefined) return kept;
  }
}

/**
 * Opts out a person who requested it by other means than a text. Returns the opt-out, new or existing. A START that the
 * person sent before, and that arrives later, does not end it.
 */
export async function optOutByRequest(
  tx: Tx,
  ledger: InLedger,
  key: OptOutKey,
  source: 'voice' | 'voice_phrase' | 'form',
): Promise<OptOut> {
  const current = await ensureOptOut(tx, ledger, key, { source });
  // This comes after the lock of the person's conversations, because a text takes the locks in this order too.
  await claimMoment(tx, ledger, key, undefined);
  return current;
}

/** Opts out the person whose number was entered on a public opt-out page. */
export function optOutOnForm(tx: Tx, ledger: InLedger, key: OptOutKey): Promise<OptOut> {
  return optOutByRequest(tx, ledger, key, 'form');
}

/**
 * Removes an opt-out that the API or an import set. Errors: missing_fields (no tenant named), tenant_not_found,
 * not_found, opt_out_not_removable.
 */
export async function removeOptOut(
  tx: Tx,
  scope: Scope,
  externalNumber: string,
  tenantId: string | undefined,
): Promise<void> {
  const named = tenantId ?? scope.tenantId;
  if (named === null) {
    throw new ApiError('missing_fields', { param: 'tenant_id', message: 'Required and absent: tenant_id.' });
  }
  const tenant = await getTenant(tx, scope, named);
  const key = { tenantId: tenant.id, externalNumber };
  const removed = await optIn(tx, scope, key, OPT_OUT_SOURCES.filter(isRemovable));
  if (removed !== undefined) return;
  if ((await findOptOut(tx, scope, key)) === undefined) throw new ApiError('not_found');
  throw new ApiError('opt_out_not_removable');
}
