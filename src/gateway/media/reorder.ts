/** How many pieces may be ahead of a missing one before it is given up. */
export const AHEAD_MAX = 5;

/** Puts numbered pieces into order. */
export type Reorder<T> = {
  /** Takes a piece; gives those whose turn it is now, in order. One that was given already, or given up, is left out. */
  accept(number: number, piece: T): T[];
};

/** @param first the number that is expected first; the first piece's own where it is absent */
export function createReorder<T>(first?: number): Reorder<T> {
  const ahead = new Map<number, T>();
  let next = first;

  const takeTurn = (ready: T[]) => {
    for (let at = next as number; ahead.has(at); at++) {
      ready.push(ahead.get(at) as T);
      ahead.delete(at);
      next = at + 1;
    }
  };

  return {
    accept: (number, piece) => {
      next ??= number;
      if (number < next) return [];
      ahead.set(number, piece);
      const ready: T[] = [];
      takeTurn(ready);
      if (ahead.size <= AHEAD_MAX) return ready;
      next = Math.min(...ahead.keys());
      takeTurn(ready);
      return ready;
    },
  };
}
