export type BucketOptions = { readonly perS: number; readonly atOnce: number };

/** So much at once, and so much more every second. It may be overdrawn: what is owed is waited for. */
export function createBucket({ perS, atOnce }: BucketOptions, nowMs: () => number = () => performance.now()) {
  let left = atOnce;
  let atMs = nowMs();
  const refill = () => {
    const now = nowMs();
    left = Math.min(atOnce, left + ((now - atMs) / 1000) * perS);
    atMs = now;
    return left;
  };
  return {
    /** False, and nothing is taken, where less than one is left. */
    take: (): boolean => {
      if (refill() < 1) return false;
      left -= 1;
      return true;
    },
    /** Takes one whether it is there or not. */
    spend: (): void => {
      refill();
      left -= 1;
    },
    /** Milliseconds until so many are there; 0 where they are. */
    msUntil: (wanted: number): number => Math.max(0, ((wanted - refill()) / perS) * 1000),
  };
}
