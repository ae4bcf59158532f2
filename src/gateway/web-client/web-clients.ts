import type { SeatName, SeatSession } from '../../domain/voice/index.ts';
import type { Seat } from './web-client.ts';

const keyOf = ({ ledgerId, webClientId }: SeatName) => `${ledgerId}:${webClientId}`;

/** The seats that are logged in to this process. For a moment two sessions of one seat may be, until the older goes. */
export function createSeats() {
  const byName = new Map<string, Set<Seat>>();
  const bySession = new Map<string, Seat>();

  return {
    get size(): number {
      return bySession.size;
    },
    all: (): Iterable<Seat> => bySession.values(),
    named: (name: SeatName): readonly Seat[] => [...(byName.get(keyOf(name)) ?? [])],
    add: (seat: Seat): void => {
      const key = keyOf(seat.session);
      byName.set(key, (byName.get(key) ?? new Set()).add(seat));
      bySession.set(seat.session.sessionId, seat);
    },
    /** @returns false if it was not there */
    remove: (session: SeatSession): boolean => {
      const seat = bySession.get(session.sessionId);
      if (seat === undefined) return false;
      bySession.delete(session.sessionId);
      const same = byName.get(keyOf(session));
      same?.delete(seat);
      if (same?.size === 0) byName.delete(keyOf(session));
      return true;
    },
  };
}
