import { openFolderStore } from '../../blobs/adapters/folder-store.ts';
import type { S3Settings } from '../../blobs/adapters/s3-requests.ts';
import { openS3Store } from '../../blobs/adapters/s3-store.ts';
import type { OpenBlobStore } from '../../blobs/blob-store.ts';

/** Storage of recordings and voicemails. */
export type BlobSettings =
  /** Absolute path; the folder is created at its first use. */
  { readonly kind: 'folder'; readonly folder: string } | ({ readonly kind: 's3' } & S3Settings);

/** Creates the store. It neither connects nor creates a folder before its first use. */
export function openBlobs(settings: BlobSettings): OpenBlobStore {
  return settings.kind === 'folder' ? openFolderStore(settings.folder) : openS3Store(settings);
}
