/**
 * The budgets of calls: a number of requests and an amount of audio each, retries included. They are counted in this
 * process only, so a call has a new budget in another process and after a restart. They limit the cost of a fault.
 */
export type CallBudgets = {
  /** Takes one request. Returns false if none is left. */
  takeRequest(call: string): boolean;
  /** Takes audio. Returns the granted milliseconds, 0 if none are left. */
  takeAudio(call: string, ms: number): number;
};

type Left = { requests: number; audioMs: number };

/** Calls in memory. The least recently used one is dropped first. */
const CALLS_MAX = 10_000;

export function createCallBudgets(limits: { readonly requestsMax: number; readonly audioMsMax: number }): CallBudgets {
  const calls = new Map<string, Left>();
  const find = (call: string): Left => {
    const left = calls.get(call) ?? { requests: limits.requestsMax, audioMs: limits.audioMsMax };
    // Inserting it again keeps the map in order of use.
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
