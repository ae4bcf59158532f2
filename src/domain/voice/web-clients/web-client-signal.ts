/**
 * Signals a change of a web client to the process that has its socket: it rings, its call has changed, it was revoked.
 * The signal only names the web client and the change is in the database, so a repeated or lost signal does no harm.
 */
import type { Db, Signal } from '../../../db/database.ts';

const TOPIC = 'web_clients';

export type WebClientName = { readonly ledgerId: number; readonly webClientId: string };

/** Sends the signal; within a transaction, after its commit. */
export function wakeWebClient(db: Pick<Db, 'signal'>, webClient: WebClientName): void {
  db.signal({ topic: TOPIC, payload: webClient });
}

/** Returns the web client that a signal names, if it names one. */
export function webClientOfSignal({ topic, payload }: Signal): WebClientName | undefined {
  return topic === TOPIC ? (payload as WebClientName) : undefined;
}
