/**
 * Returns a function that returns the time in ms since this call. The time between two calls counts for at most
 * `betweenMsMax`, so that a process that stood still has hardly spent time: its work and its timers stood still too.
 */
export function startStopwatch(betweenMsMax: number): () => number {
  let [lastMs, spentMs] = [performance.now(), 0];
  return () => {
    const nowMs = performance.now();
    spentMs += Math.min(nowMs - lastMs, betweenMsMax);
    lastMs = nowMs;
    return spentMs;
  };
}
