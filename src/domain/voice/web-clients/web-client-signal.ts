/**
 * Signals a change of a web client to the process with its socket: it rings, its call has changed, or it was revoked.
 * The signal only names the web client, and the change is in the database. So a repeated or lost signal does no harm.
 */

import type { Db, Signal } from '../../../db/database.ts';
import { isWebClient } from '../../../lib/phone/agent-address.ts';
import type { Ledger } from '../../../lib/scope.ts';
import type { Leg } from '../calls/state/call.ts';

const TOPIC = 'web_clients';

export type WebClientName = { readonly ledgerId: number; readonly webClientId: string };

/** Sends the signal; within a transaction, after its commit. */
export function wakeWebClient(db: Pick<Db, 'signal'>, webClient: WebClientName): void {
  db.signal({ topic: TOPIC, payload: webClient });
}

/**
 * Notifies the web clients of a call that its legs have changed: they show whether the other party rings or answers.
 */
export function wakeWebClients(
  db: Pick<Db, 'signal'>,
  { ledgerId }: Pick<Ledger, 'ledgerId'>,
  legs: readonly Leg[],
): void {
  for (const { address, state } of legs) {
    if (isWebClient(address) && state !== 'ended') wakeWebClient(db, { ledgerId, webClientId: address });
  }
}

/** Returns the web client in a signal; undefined for any other signal. */
export function webClientOfSignal({ topic, payload }: Signal): WebClientName | undefined {
  return topic === TOPIC ? (payload as WebClientName) : undefined;
}
