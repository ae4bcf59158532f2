/**
 * Tells whoever serves a seat that something about it has changed: that it rings, that its call has gone on, that it was
 * revoked. What has changed is in the database; the signal only says where to look, so that one which comes twice or is
 * lost does no harm.
 */
import type { Db, Signal } from '../../../db/database.ts';

const TOPIC = 'seats';

export type SeatName = { readonly ledgerId: number; readonly webClientId: string };

/** Within a transaction the signal goes out once it has committed. */
export function wakeSeat(db: Pick<Db, 'signal'>, seat: SeatName): void {
  db.signal({ topic: TOPIC, payload: seat });
}

/** The seat that a signal of this process is about, if it is about one. */
export function seatOfSignal({ topic, payload }: Signal): SeatName | undefined {
  return topic === TOPIC ? (payload as SeatName) : undefined;
}
