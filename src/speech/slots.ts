/** Runs so many pieces of work at a time; the others wait in the order in which they came. */
export type Slots = { run<T>(work: () => Promise<T>): Promise<T> };

export function createSlots(atOnce: number): Slots {
  const waiting: (() => void)[] = [];
  let free = atOnce;
  return {
    async run(work) {
      if (free > 0) free--;
      else await new Promise<void>((resolve) => waiting.push(resolve));
      try {
        return await work();
      } finally {
        // The slot goes to the next in line, or back.
        const next = waiting.shift();
        if (next === undefined) free++;
        else next();
      }
    },
  };
}
