import { BlobError } from '../../blobs/blob-store.ts';
import { ApiError } from '../../lib/errors/errors.ts';

/** `Retry-After` of a request while the store does not answer, in seconds. */
const STORAGE_RETRY_AFTER_S = 5;

/** Returns storage_unavailable for a store of files that does not answer, and any other error unchanged. */
export function toStorageError(error: unknown): unknown {
  if (!(error instanceof BlobError) || error.kind !== 'unavailable') return error;
  return new ApiError('storage_unavailable', { cause: error, retryAfterS: STORAGE_RETRY_AFTER_S });
}
