import type { Tx } from '../../../db/database.ts';
import { dropBlobs } from '../../../queue/jobs/drop-blobs.ts';
import { listBlobKeys } from './queries.ts';

/**
 * Plans the removal of the audio of a ledger that is being emptied. Called in the same transaction, before the rows are
 * deleted.
 */
export async function dropLedgerAudio(tx: Tx, ledgerId: number): Promise<void> {
  await dropBlobs(tx, await listBlobKeys(tx, { ledgerId }));
}
