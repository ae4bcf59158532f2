import type { Tx } from '../../../db/database.ts';
import type { Ledger } from '../../../lib/scope.ts';
import { dropBlobs } from '../../../queue/jobs/drop-blobs.ts';
import { enqueue } from '../../../queue/jobs/enqueue.ts';
import { ledgerFields } from '../phone-numbers/new-jobs.ts';
import { deleteUnusedHoldAudio, listHoldAudioBlobs, lockHoldAudio, requestHoldAudio } from './queries.ts';
import { holdAudioId } from './rules.ts';

export const FETCH_HOLD_AUDIO = 'routing_config.fetch_hold_audio';
export type FetchPayload = { readonly ledger: Ledger; readonly id: string; readonly attempt: number };

/**
 * Prepares a config that names this address in place of the audio `before`, and plans to fetch the audio unless the
 * ledger has it. Returns the audio's id.
 */
export async function useHoldAudio(
  tx: Tx,
  ledger: Ledger,
  url: string | null,
  before: string | null = null,
): Promise<string | null> {
  const id = url === null ? null : holdAudioId(url);
  const ids = [id, before].filter((candidate) => candidate !== null);
  // Locks both at once. A concurrent transaction that swaps the same two waits here.
  if (ids.length > 1) await lockHoldAudio(tx, ledger, ids);
  if (url === null || id === null || !(await requestHoldAudio(tx, ledger, { id, url }))) return id;
  const payload: FetchPayload = { ledger: ledgerFields(ledger), id, attempt: 1 };
  await enqueue(tx, [{ ledgerId: ledger.ledgerId, queue: 'audio', kind: FETCH_HOLD_AUDIO, payload }]);
  return id;
}

/** Deletes audio that no config names any more; a job removes its blobs. Called after the change of the configs. */
export async function dropUnusedHoldAudio(tx: Tx, ledger: Ledger, ids: readonly (string | null)[]): Promise<void> {
  const before = [...new Set(ids.filter((id) => id !== null))];
  if (before.length === 0) return;
  // A transaction that adds a config locks the audio that the config names. After this lock the config is visible here.
  await lockHoldAudio(tx, ledger, before);
  await dropBlobs(tx, await deleteUnusedHoldAudio(tx, ledger, before));
}

/** Plans the removal of the hold audio of a ledger that is emptied, before its rows are deleted. */
export async function dropLedgerHoldAudio(tx: Tx, ledgerId: number): Promise<void> {
  await dropBlobs(tx, await listHoldAudioBlobs(tx, ledgerId));
}
