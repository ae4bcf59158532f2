import { BlobError } from '../../blobs/blob-store.ts';
import { ApiError } from '../../lib/errors/errors.ts';

/** The seconds in `Retry-After` while the store does not answer. */
const STORAGE_RETRY_AFTER_S = 5;

/** If a store of files does not answer, returns storage_unavailable. Returns any other error unchanged. */
export function toStorageError(error: unknown): unknown {
  if (!(error instanceof BlobError) || error.kind !== 'unavailable') return error;
  return new ApiError('storage_unavailable', { cause: error, retryAfterS: STORAGE_RETRY_AFTER_S });
}
