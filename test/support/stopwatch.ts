/**
 * Returns a function that reads the time in ms since the start. The time between two reads counts for at most
 * `betweenMsMax`, so a standstill of the process hardly counts: its work and its timers stood still too.
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
