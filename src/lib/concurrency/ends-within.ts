import { after, type Timer } from '../time/time.ts';

/** Returns true when the work ends, or false after `ms`. Rejects if the work rejects before that. */
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
