import { after, type Timer } from '../time/time.ts';

/** Returns true as soon as the work has ended, false if it has not after `ms`. Rejects if the work does before. */
export async function endsWithin(work: Promise<unknown>, ms: number): Promise<boolean> {
  let timer: Timer | undefined;
  const late = new Promise<false>((resolve) => {
    timer = after(ms, () => resolve(false));
  });
  try {
    return await Promise.race([work.then(() => true), late]);
  } finally {
    timer?.cancel();
  }
}
