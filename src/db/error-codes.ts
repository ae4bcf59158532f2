import pg from 'pg';
import { ApiError, type ErrorCode } from '../lib/errors/errors.ts';

/** Constraints whose violation the caller can correct, with the error's code and field. */
const CONSTRAINT_CODES: Readonly<Record<string, { code: ErrorCode; param?: string }>> = {
  tenants_external_ref: { code: 'external_ref_taken', param: 'external_ref' },
  contacts_external_ref: { code: 'external_ref_taken', param: 'external_ref' },
  contact_numbers_pkey: { code: 'contact_number_taken', param: 'phone_numbers' },
  phone_numbers_owned: { code: 'number_unavailable', param: 'phone_number' },
  live_numbers_pkey: { code: 'number_unavailable', param: 'phone_number' },
  // The address was deleted by another request while it was being attached.
  phone_numbers_e911_address: { code: 'e911_address_not_found', param: 'e911_address_id' },
  // A request that attaches a config locks it first, so a violation always comes from a deletion.
  phone_numbers_routing_config: { code: 'routing_config_in_use' },
  // A behavior that names a queue locks it first, so a violation always comes from a deletion.
  queue_uses_queue: { code: 'queue_in_use' },
  phone_numbers_campaign: { code: 'campaign_not_found', param: 'campaign_id' },
  phone_numbers_tenant: { code: 'tenant_not_found', param: 'tenant_id' },
};

/**
 * SQLSTATE classes of a database that is unavailable, starting, stopping or full, or that has ended an idle transaction
 * (25P03; PostgreSQL, appendix A).
 */
const UNAVAILABLE = /^(08|53|57P0[1-5]|25006|25P03)/;

/**
 * SQLSTATEs that make a connection useless: the server ends it, or the server is a standby, which takes no writes. A
 * pool that keeps such a connection fails every statement that gets it.
 */
const SERVER_GONE = /^(08|57P0[1-5]|25006|25P03)/;

/** A NUL character, which JSON and URLs can contain and text columns cannot. */
const UNSTORABLE_TEXT = new Set(['22021', '22P05']);

const UNREACHABLE = new Set(['ECONNREFUSED', 'ECONNRESET', 'ENOENT', 'ENOTFOUND', 'EPIPE', 'ETIMEDOUT', 'EAI_AGAIN']);

const RETRY_AFTER_S = 2;

/** Returns the ApiError that a database error means for the caller, or the error itself if it means none. */
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
  // For these errors the driver sets no code.
  const isLost = /Connection terminated|is not queryable|timeout exceeded when trying to connect/.test(error.message);
  return isLost || isAnswerMissing(error);
}

/**
 * Returns true if an answer did not come in time. It may still come over the connection, which therefore cannot be used
 * again.
 */
function isAnswerMissing(error: unknown): boolean {
  return error instanceof Error && error.message === 'Query read timeout';
}

/** Returns true if the server behind a connection has ended, does not answer, or is a standby. */
export function isServerGone(error: unknown): boolean {
  return error instanceof pg.DatabaseError ? SERVER_GONE.test(error.code ?? '') : isUnreachable(error);
}

/** Returns true if a standby refused a write. The write has changed nothing. */
export function isStandbyRefusal(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === '25006';
}

/** Returns true for a statement that waited for a lock longer than lock_timeout. */
export function isLockTimeout(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === '55P03';
}

// serialization_failure, deadlock_detected, and foreign_key_violation: the referenced row was deleted concurrently.
const LOST_RACES = new Set(['40001', '40P01', '23503']);

/**
 * Returns true for a statement that lost a race and changed nothing. If it is repeated, it sees the rows of the winner.
 */
export function isLostRace(error: unknown): boolean {
  return error instanceof pg.DatabaseError && LOST_RACES.has(error.code ?? '');
}
