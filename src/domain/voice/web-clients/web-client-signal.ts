/**
 * Tells whoever serves a web client that something about it has changed: that it rings, that its call has gone on, that it was
 * revoked. What has changed is in the database; the signal only says where to look, so that one which comes twice or is
 * lost does no harm.
 */
import type { Db, Signal } from '../../../db/database.ts';

const TOPIC = 'web_clients';

export type WebClientName = { readonly ledgerId: number; readonly webClientId: string };

/** Within a transaction the signal goes out once it has committed. */
export function wakeWebClient(db: Pick<Db, 'signal'>, webClient: WebClientName): void {
  db.signal({ topic: TOPIC, payload: webClient });
}

/** The web client that a signal of this process is about, if it is about one. */
export function webClientOfSignal({ topic, payload }: Signal): WebClientName | undefined {
  return topic === TOPIC ? (payload as WebClientName) : undefined;
}
