import { buffer } from 'node:stream/consumers';
import type { PortInDocument } from '../../../carriers/ports/porting.ts';
import type { Context } from '../../../context.ts';
import type { Ledger } from '../../../lib/scope.ts';
import { listDocumentFiles } from './queries.ts';

/** Returns the documents of a port-in for its carrier, oldest first. A file is read when the carrier asks for it. */
export async function readDocuments(
  { db, blobs }: Pick<Context, 'db' | 'blobs'>,
  ledger: Ledger,
  portInId: string,
): Promise<PortInDocument[]> {
  const files = await listDocumentFiles(db, ledger, portInId);
  return files.map(({ id: ref, kind, content_type: contentType, size_bytes: sizeBytes, blob_key: key }) => ({
    ref,
    kind,
    contentType,
    sizeBytes,
    read: async () => {
      const blob = await blobs.get(key);
      if (blob === undefined) throw new Error(`the file of the document ${ref} is not in the store`);
      return await buffer(blob.stream);
    },
  }));
}
