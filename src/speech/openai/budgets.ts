/**
 * What one call may cost: so many requests and so much audio, retries included. Counted in this process, so a call whose
 * work moves to another process or past a restart begins anew there; it bounds what a fault can cost, it is no bill.
 */
export type CallBudgets = {
  /** Takes one request; false when none is left. */
  takeRequest(call: string): boolean;
  /** Takes audio; how many milliseconds of it are granted, 0 when none are left. */
  takeAudio(call: string, ms: number): number;
};

type Left = { requests: number; audioMs: number };

/** Calls remembered at once; the one that was not asked for the longest is forgotten first. */
const CALLS_MAX = 10_000;

export function createCallBudgets(most: { readonly requestsMax: number; readonly audioMsMax: number }): CallBudgets {
  const calls = new Map<string, Left>();
  const find = (call: string): Left => {
    const left = calls.get(call) ?? { requests: most.requestsMax, audioMs: most.audioMsMax };
    // Put in anew, so that the map keeps the order of use.
    calls.delete(call);
    calls.set(call, left);
    const [oldest] = calls.keys();
    if (calls.size > CALLS_MAX && oldest !== undefined) calls.delete(oldest);
    return left;
  };
  return {
    takeRequest(call) {
      const left = find(call);
      if (left.requests <= 0) return false;
      left.requests--;
      return true;
    },
    takeAudio(call, ms) {
      const left = find(call);
      const granted = Math.min(ms, left.audioMs);
      left.audioMs -= granted;
      return granted;
    },
  };
}
