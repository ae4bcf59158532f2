/** Limits the tasks that run concurrently. The others wait in the order of their arrival. */
export type Slots = { run<T>(work: () => Promise<T>): Promise<T> };

export function createSlots(count: number): Slots {
  const waiting: (() => void)[] = [];
  let free = count;
  return {
    async run(work) {
      if (free > 0) free--;
      else await new Promise<void>((resolve) => waiting.push(resolve));
      try {
        return await work();
      } finally {
        // The next waiting task gets the slot.
        const next = waiting.shift();
        if (next === undefined) free++;
        else next();
      }
    },
  };
}
