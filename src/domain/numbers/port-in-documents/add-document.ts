import type { DocumentKind, DocumentType } from '../../../carriers/ports/porting.ts';
import type { Context } from '../../../context.ts';
import { toStorageError } from '../../../http/edge/storage-error.ts';
import type { UploadedFile } from '../../../http/uploads/uploads.ts';
import type { PreparedPhases } from '../../../http/writes/phases.ts';
import { ApiError } from '../../../lib/errors/errors.ts';
import { newId } from '../../../lib/ids.ts';
import { type Scope, visible } from '../../../lib/scope.ts';
import { dropUnlessKept, keepBlob, type UnkeptBlob } from '../../../queue/jobs/drop-blobs.ts';
import { requireCorrectable } from '../port-ins/correct-port-in.ts';
import { getPortIn, lockPortIn } from '../port-ins/queries.ts';
import { insertDocument } from './queries.ts';
import { documentTypeOf } from './rules.ts';
import type { PortInDocument } from './schema.ts';

/** A file whose type has been recognised. */
type RecognisedFile = { readonly bytes: Buffer; readonly contentType: DocumentType };

/** Recognises the type of an uploaded file. Error: unsupported_document. */
export function recogniseDocument(file: UploadedFile | undefined): RecognisedFile {
  const contentType = file && documentTypeOf(file.bytes);
  if (file === undefined || contentType === undefined) throw new ApiError('unsupported_document');
  return { bytes: file.bytes, contentType };
}

type NewFile = { readonly portInId: string; readonly kind: DocumentKind; readonly file: RecognisedFile };

/**
 * Returns the steps that add a document to a port-in that can still be corrected. The file is stored first; if the
 * request is then refused, or its process ends, a job removes it.
 * Errors: port_in_not_found, tenant_restricted_key, port_in_not_submittable, too_many_documents, storage_unavailable.
 */
export function addDocument(
  { db, blobs }: Pick<Context, 'db' | 'blobs'>,
  scope: Scope,
  { portInId, kind, file: { bytes, contentType } }: NewFile,
): PreparedPhases<UnkeptBlob, PortInDocument> {
  const id = newId('port_in_document');
  return {
    prepare: async () => {
      requireCorrectable(await getPortIn(db, scope, portInId));
      const blob = await dropUnlessKept(db, `${scope.ledgerId}/documents/${id}`);
      try {
        await blobs.put(blob.key, bytes, { contentType });
      } catch (error) {
        throw toStorageError(error);
      }
      return blob;
    },
    commit: async (tx, blob) => {
      // Locks the port-in, so that concurrent additions each see the right count, and none runs during a submission.
      const portIn = visible(scope, (await lockPortIn(tx, scope, portInId))?.portIn, 'port_in_not_found');
      requireCorrectable(portIn);
      const row = { id, tenantId: portIn.tenant_id, portInId, kind, contentType };
      const document = await insertDocument(tx, scope, { ...row, sizeBytes: bytes.length, blobKey: blob.key });
      if (document === undefined) throw new ApiError('too_many_documents');
      // If this request took minutes, its file was removed.
      if (!(await keepBlob(tx, blob))) throw new ApiError('storage_unavailable', { retryAfterS: 1 });
      return document;
    },
  };
}
