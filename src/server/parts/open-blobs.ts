import { openFolderStore } from '../../blobs/adapters/folder-store.ts';
import type { S3Settings } from '../../blobs/adapters/s3-requests.ts';
import { openS3Store } from '../../blobs/adapters/s3-store.ts';
import type { OpenBlobStore } from '../../blobs/blob-store.ts';

/** Where recordings and voicemails are stored. */
export type BlobSettings =
  /** An absolute path. The folder is created at its first use. */
  { readonly kind: 'folder'; readonly folder: string } | ({ readonly kind: 's3' } & S3Settings);

/** Creates the store. Before its first use it makes no connection and no folder. */
export function openBlobs(settings: BlobSettings): OpenBlobStore {
  return settings.kind === 'folder' ? openFolderStore(settings.folder) : openS3Store(settings);
}
