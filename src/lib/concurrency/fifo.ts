export type Fifo<T> = {
  push(item: T): void;
  size(): number;
  /** Removes and returns up to `countMax` items, oldest first. */
  take(countMax: number): T[];
};

/** Creates a queue, first in, first out. Each operation is O(1) per item on average, unlike `Array.shift`. */
export function createFifo<T>(): Fifo<T> {
  let items: T[] = [];
  let head = 0;
  return {
    push: (item) => {
      items.push(item);
    },
    size: () => items.length - head,
    take: (countMax) => {
      const taken = items.slice(head, head + countMax);
      head += taken.length;
      // Drops the used part only when it is most of the array, so that an item is moved at most once on average.
      if (head === items.length || (head > 64 && head * 2 > items.length)) {
        items = items.slice(head);
        head = 0;
      }
      return taken;
    },
  };
}
