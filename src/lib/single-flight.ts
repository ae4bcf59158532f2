export type SingleFlight = ReturnType<typeof createSingleFlight>;

type Taken<T> = { turn: T; late: false } | { turn?: never; late: true };

/** Lets callers with the same name go one after the other, in the order they came. */
export function createSingleFlight() {
  const tails = new Map<string, Promise<void>>();

  /** Runs `work` when all earlier callers of this name are done; gives up (`late`) after `waitMs` in the queue. */
  async function take<T>(name: string, waitMs: number, work: () => Promise<T>): Promise<Taken<T>> {
    const before = tails.get(name);
    const { promise: done, resolve: finish } = Promise.withResolvers<void>();
    const tail = before === undefined ? done : before.then(() => done);
    tails.set(name, tail);
    tail.then(() => tails.get(name) === tail && tails.delete(name));
    try {
      if (before !== undefined && !(await settlesWithin(before, waitMs))) return { late: true };
      return { turn: await work(), late: false };
    } finally {
      finish();
    }
  }

  return { take };
}

async function settlesWithin(work: Promise<void>, waitMs: number): Promise<boolean> {
  const { promise: alarm, resolve: ring } = Promise.withResolvers<boolean>();
  const timer = setTimeout(ring, waitMs, false);
  const settled = await Promise.race([work.then(() => true), alarm]);
  clearTimeout(timer);
  return settled;
}
