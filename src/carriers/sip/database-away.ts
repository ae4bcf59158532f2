import { ApiError } from '../../lib/errors.ts';

/** Returns true for a failure that lasts only while the database is unavailable. */
export function isDatabaseAway(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'database_unavailable';
}
