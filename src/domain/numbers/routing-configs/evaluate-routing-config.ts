import type { Db } from '../../../db/database.ts';
import { ledgerNow } from '../../../db/ledgers.ts';
import { ApiError } from '../../../lib/errors.ts';
import type { Scope } from '../../../lib/scope.ts';
import { getTenant } from '../../tenants/index.ts';
import { getRoutingConfig } from './get-routing-config.ts';
import { decideBehavior } from './hours.ts';
import type { EvaluateRoutingConfig, RoutingEvaluation } from './schema.ts';

/**
 * What a call that arrives at a moment (the ledger's present one by default) would meet. Changes nothing.
 * Errors: routing_config_not_found, tenant_restricted_key, invalid_body (a moment that cannot be read).
 */
export async function evaluateRoutingConfig(
  db: Db,
  scope: Scope,
  id: string,
  { at: text }: EvaluateRoutingConfig,
): Promise<RoutingEvaluation> {
  const config = await getRoutingConfig(db, scope, id);
  const { timezone } = await getTenant(db, scope, config.tenant_id);
  const at = text === undefined ? await ledgerNow(db, scope.ledgerId) : readMoment(text);
  const { open, behavior } = decideBehavior(config, timezone, at);
  return { at, open, behavior, targets: behavior.type === 'ring' ? behavior.targets : [] };
}

/** The schema has seen to RFC 3339; the rest is what a moment can be at all, such as its precision. */
function readMoment(text: string): Date {
  try {
    const at = new Date(Temporal.Instant.from(text).epochMilliseconds);
    // RFC 3339 has years of four digits, and an offset may lead out of them.
    if (/^\d{4}-/.test(at.toISOString())) return at;
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause;
    throw untellable(cause);
  }
  throw untellable();
}

function untellable(cause?: RangeError): ApiError {
  return new ApiError('invalid_body', { param: 'at', message: '"at" is not a moment that can be told.', cause });
}
