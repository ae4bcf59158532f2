import { BlobError } from '../../blobs/blob-store.ts';
import { ApiError } from '../../lib/errors/errors.ts';

/** Seconds after which a caller may ask again when the store did not answer. */
const STORAGE_RETRY_AFTER_S = 5;

/** Returns storage_unavailable for a store of files that does not answer, and any other error unchanged. */
export function toStorageError(error: unknown): unknown {
  if (!(error instanceof BlobError) || error.kind !== 'unavailable') return error;
  return new ApiError('storage_unavailable', { cause: error, retryAfterS: STORAGE_RETRY_AFTER_S });
}
