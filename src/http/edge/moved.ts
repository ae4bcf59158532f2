/** Requests for a ledger that is moving, or has moved, to another database of the installation. */
import type { IncomingMessage } from 'node:http';
import { addressInCell } from '../../lib/cells.ts';
import { ApiError } from '../../lib/errors/errors.ts';

/** Whether a ledger is in this database. */
export type LedgerPlace = {
  readonly state: 'active' | 'moving' | 'arriving' | 'moved';
  /** The name of the cell that now has the ledger; empty for the first database; null if the ledger has not moved. */
  readonly moved_to: string | null;
};

/**
 * The error for a request whose account is in another database now. The reply redirects the client. The client then
 * sends the same method and body.
 */
export class MovedError extends Error {
  override readonly name = 'MovedError';
  readonly location: string;

  constructor(location: string) {
    super('the account is in another database');
    this.location = location;
  }
}

// Requests that the front has passed to this database because this database has their key. Their address names no
// database.
const passedByKey = new WeakSet<IncomingMessage>();

/** Records that the front chose this database by the key of the request, not by its address. */
export function passByKey(request: IncomingMessage): void {
  passedByKey.add(request);
}

/** A move lasts seconds. */
const RETRY_S = 2;
const READS = new Set(['GET', 'HEAD']);

/**
 * Refuses a request if the move of its ledger prevents it.
 * @throws MovedError, or ApiError database_unavailable
 */
export function refuseMoving(
  { state, moved_to: movedTo }: LedgerPlace,
  { request, publicUrl }: { readonly request: IncomingMessage; readonly publicUrl: string },
): void {
  const { method = '', url = '' } = request;
  if (state === 'active' || (state === 'moving' && READS.has(method))) return;
  // If the caller tries again, the front finds the new database.
  if (movedTo !== null && !passedByKey.has(request)) throw new MovedError(addressInCell(publicUrl, movedTo) + url);
  throw new ApiError('database_unavailable', {
    retryAfterS: RETRY_S,
    message: 'The account is being moved to another database. Try again.',
  });
}
