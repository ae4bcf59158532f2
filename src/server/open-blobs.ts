import { openFolderStore } from '../blobs/adapters/folder-store.ts';
import type { S3Settings } from '../blobs/adapters/s3-requests.ts';
import { openS3Store } from '../blobs/adapters/s3-store.ts';
import type { OpenBlobStore } from '../blobs/blob-store.ts';

/** Where recordings and voicemails are kept. */
export type BlobSettings =
  /** Absolute path; the folder is made when it is first needed. */
  { readonly kind: 'folder'; readonly folder: string } | ({ readonly kind: 's3' } & S3Settings);

/** Makes the store; nothing is touched or connected before it is used. */
export function openBlobs(settings: BlobSettings): OpenBlobStore {
  return settings.kind === 'folder' ? openFolderStore(settings.folder) : openS3Store(settings);
}
