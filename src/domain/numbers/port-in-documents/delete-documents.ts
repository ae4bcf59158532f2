import type { Context, TeardownStep } from '../../../context.ts';
import type { Tx } from '../../../db/database.ts';
import { ApiError } from '../../../lib/errors/errors.ts';
import { type Ledger, type Scope, visible } from '../../../lib/scope.ts';
import { dropBlobs } from '../../../queue/jobs/drop-blobs.ts';
import { enqueue } from '../../../queue/jobs/enqueue.ts';
import type { Job, JobHandler } from '../../../queue/jobs/job.ts';
import { completeJobs } from '../../../queue/jobs/job-claims.ts';
import { ledgerFields } from '../phone-numbers/new-jobs.ts';
import { requireCorrectable } from '../port-ins/correct-port-in.ts';
import { lockPortIn } from '../port-ins/queries.ts';
import { deleteDocumentRows, findDocumentOwner, listDocumentBlobs, listDocuments } from './queries.ts';
import { KEPT_AFTER_END_MS } from './rules.ts';

/**
 * Deletes a document of a port-in that can still be corrected; a job removes its file.
 * Errors: port_in_not_found, document_not_found, tenant_restricted_key, port_in_not_submittable.
 */
export async function deleteDocument(
  tx: Tx,
  scope: Scope,
  { portInId, id }: { readonly portInId: string; readonly id: string },
): Promise<void> {
  const portIn = visible(scope, (await lockPortIn(tx, scope, portInId))?.portIn, 'port_in_not_found');
  const owner = visible(scope, await findDocumentOwner(tx, scope, id), 'document_not_found');
  if (owner.port_in_id !== portIn.id) throw new ApiError('document_not_found');
  requireCorrectable(portIn);
  await dropBlobs(tx, await deleteDocumentRows(tx, scope, 'one', id));
}

/** Deletes the documents of all port-ins of a tenant that is being deleted, once its port-ins are cancelled. */
export const deleteTenantDocuments: TeardownStep = async (tx, scope, tenantId) =>
  dropBlobs(tx, await deleteDocumentRows(tx, scope, 'ofTenant', tenantId));

/** Plans the removal of the files of a ledger that is emptied, before its rows are deleted. */
export async function dropLedgerDocuments(tx: Tx, ledgerId: number): Promise<void> {
  await dropBlobs(tx, await listDocumentBlobs(tx, ledgerId));
}

const EXPIRE_JOB = 'port_in.expire_documents';
type ExpirePayload = { readonly ledger: Ledger; readonly portInId: string };

/** Plans the deletion of the documents of a port-in that has ended. */
export async function expireDocuments(tx: Tx, ledger: Ledger, portInId: string): Promise<void> {
  if ((await listDocuments(tx, ledger, portInId)).length === 0) return;
  const payload: ExpirePayload = { ledger: ledgerFields(ledger), portInId };
  const { ledgerId } = ledger;
  await enqueue(tx, [{ ledgerId, queue: 'default', kind: EXPIRE_JOB, payload, delayMs: KEPT_AFTER_END_MS }]);
}

/** Returns the handler that deletes expired documents. */
export function expiryHandler({ db }: Pick<Context, 'db'>): JobHandler<ExpirePayload> {
  return {
    kind: EXPIRE_JOB,
    queue: 'default',
    run: async ([job]) => {
      const { ledger, portInId } = (job as Job<ExpirePayload>).payload;
      await db.transaction(async (tx) => {
        await dropBlobs(tx, await deleteDocumentRows(tx, ledger, 'ofPortIn', portInId));
        await completeJobs(tx, [job as Job]);
      });
    },
  };
}
