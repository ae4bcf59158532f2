import pg from 'pg';
import { ApiError, type ErrorCode } from '../lib/errors.ts';

/** Constraints whose violation is the caller's to mend, with the code and field that say so. */
const CONSTRAINT_CODES: Readonly<Record<string, { code: ErrorCode; param?: string }>> = {
  tenants_external_ref: { code: 'external_ref_taken', param: 'external_ref' },
  phone_numbers_owned: { code: 'number_unavailable', param: 'phone_number' },
  live_numbers_pkey: { code: 'number_unavailable', param: 'phone_number' },
  // The address was deleted while it was being attached.
  phone_numbers_e911_address: { code: 'e911_address_not_found', param: 'e911_address_id' },
  // Whoever attaches a config holds it, so that this is always a deletion.
  phone_numbers_routing_config: { code: 'routing_config_in_use' },
  phone_numbers_campaign: { code: 'campaign_not_found', param: 'campaign_id' },
  phone_numbers_tenant: { code: 'tenant_not_found', param: 'tenant_id' },
};

/**
 * SQLSTATE classes of a database that is away, starting, stopping or full, or that has ended a transaction for which
 * nothing came any more (25P03; PostgreSQL, appendix A).
 */
const UNAVAILABLE = /^(08|53|57P0[1-5]|25006|25P03)/;

/** A NUL character, which JSON and URLs can carry and text columns cannot. */
const UNSTORABLE_TEXT = new Set(['22021', '22P05']);

const UNREACHABLE = new Set(['ECONNREFUSED', 'ECONNRESET', 'ENOENT', 'ENOTFOUND', 'EPIPE', 'ETIMEDOUT', 'EAI_AGAIN']);

const RETRY_AFTER_S = 2;

/** The ApiError that a database failure means for the caller, or the failure itself. */
export function toApiError(error: unknown): unknown {
  if (error instanceof pg.DatabaseError) {
    const known = error.constraint === undefined ? undefined : CONSTRAINT_CODES[error.constraint];
    if (known !== undefined) {
      const { code, ...field } = known;
      return new ApiError(code, { ...field, cause: error });
    }
    if (UNAVAILABLE.test(error.code ?? '')) return unavailable(error);
    if (UNSTORABLE_TEXT.has(error.code ?? '')) {
      return new ApiError('invalid_body', { message: 'Text must not contain the NUL character.', cause: error });
    }
    return error;
  }
  return isUnreachable(error) ? unavailable(error) : error;
}

function unavailable(cause: unknown): ApiError {
  return new ApiError('database_unavailable', { cause, retryAfterS: RETRY_AFTER_S });
}

function isUnreachable(error: unknown): boolean {
  if (!(error instanceof Error) || error instanceof ApiError) return false;
  if ('code' in error && UNREACHABLE.has(String(error.code))) return true;
  // The driver raises these as plain errors, without a code.
  const isLost = /Connection terminated|is not queryable|timeout exceeded when trying to connect/.test(error.message);
  return isLost || isAnswerMissing(error);
}

/** True where an answer did not come in time: it is still owed, and the next would come after it. */
export function isAnswerMissing(error: unknown): boolean {
  return error instanceof Error && error.message === 'Query read timeout';
}

/** True for a statement whose wait for a lock had a bound (lock_timeout) and reached it. */
export function isLockTimeout(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === '55P03';
}

// serialization_failure, deadlock_detected, and foreign_key_violation: what is referred to was deleted meanwhile.
const LOST_RACES = new Set(['40001', '40P01', '23503']);

/** True for a statement that lost a race and did nothing: repeated, it sees what the winner has made of the rows. */
export function isLostRace(error: unknown): boolean {
  return error instanceof pg.DatabaseError && LOST_RACES.has(error.code ?? '');
}
