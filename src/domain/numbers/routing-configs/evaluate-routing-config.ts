import type { Db } from '../../../db/database.ts';
import { ledgerNow } from '../../../db/ledgers.ts';
import { ApiError } from '../../../lib/errors/errors.ts';
import type { Scope } from '../../../lib/scope.ts';
import { getTenant } from '../../tenants/index.ts';
import type { EvaluateRoutingConfig, RoutingEvaluation } from './evaluation-schema.ts';
import { decideBehavior } from './hours.ts';
import { getRoutingConfig } from './queries.ts';
import { followDigits } from './walk-behaviors.ts';

/**
 * Returns how a call that arrives at a moment (by default the ledger's present) would be routed, and where the caller's
 * keys lead in menus. Changes nothing.
 * Errors: routing_config_not_found, tenant_restricted_key, invalid_body (an invalid moment).
 */
export async function evaluateRoutingConfig(
  db: Db,
  scope: Scope,
  id: string,
  { at: text, digits }: EvaluateRoutingConfig,
): Promise<RoutingEvaluation> {
  const config = await getRoutingConfig(db, scope, id);
  const { timezone } = await getTenant(db, scope, config.tenant_id);
  const at = text === undefined ? await ledgerNow(db, scope.ledgerId) : readMoment(text);
  const { open, behavior: first } = decideBehavior(config, timezone, at);
  const { behavior, path } = followDigits(first, digits ?? '');
  const targets = behavior.type === 'ring' ? behavior.targets : [];
  return { at, open, behavior, ...(digits !== undefined && { path }), targets };
}

/** Reads a moment. The schema has checked RFC 3339; this checks the limits of a Date, such as its precision. */
function readMoment(text: string): Date {
  try {
    const at = new Date(Temporal.Instant.from(text).epochMilliseconds);
    // RFC 3339 has years of four digits; an offset may move a moment out of that range.
    if (/^\d{4}-/.test(at.toISOString())) return at;
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause;
    throw untellable(cause);
  }
  throw untellable();
}

function untellable(cause?: RangeError): ApiError {
  return new ApiError('invalid_body', { param: 'at', message: '"at" is not a moment that can be represented.', cause });
}
