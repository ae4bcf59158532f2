import { endsWithin } from './ends-within.ts';

export type SingleFlight = ReturnType<typeof createSingleFlight>;

type Flight<T> = { result: T; late: false } | { result?: never; late: true };

/** Runs the work of callers with the same name one after the other, in the order of the calls. */
export function createSingleFlight() {
  const tails = new Map<string, Promise<void>>();

  /** Runs `work` after all earlier callers of this name; after `waitMs` in the queue it returns `late` instead. */
  async function run<T>(name: string, waitMs: number, work: () => Promise<T>): Promise<Flight<T>> {
    const before = tails.get(name);
    const { promise: done, resolve: finish } = Promise.withResolvers<void>();
    const tail = before === undefined ? done : before.then(() => done);
    tails.set(name, tail);
    tail.then(() => tails.get(name) === tail && tails.delete(name));
    try {
      if (before !== undefined && !(await endsWithin(before, waitMs))) return { late: true };
      return { result: await work(), late: false };
    } finally {
      finish();
    }
  }

  return { run };
}
