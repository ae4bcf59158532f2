import type { Call } from '@dialplane/sdk/resources';
import type { Api } from '../../api/client.ts';
import { useRead } from '../../api/queries.ts';

/** At most this many calls of a status are counted. */
export const CALLS_MAX = 100;
/** If a ledger has at most this many calls, one request reads them all. */
const FEW = 20;

const RUNNING = ['dialing', 'ringing', 'in_progress'] as const;

type RunningCalls = {
  readonly running: readonly Call[];
  /** True if the ledger has had a call. */
  readonly hasCall: boolean;
};

/** Reads the calls that are ringing or connected now. While a placed call is `dialing`, its agent rings. */
export function useRunningCalls() {
  return useRead(['calls', 'now'], readRunning);
}

/**
 * Reads the newest calls, and each status if there are older calls. A call changes its state only in this order of
 * reads. So a call that changes between two reads is in a later list, or in both.
 */
async function readRunning(api: Api): Promise<RunningCalls> {
  const newest = await api.calls.list({ limit: FEW });
  const hasCall = newest.data.length > 0;
  if (!newest.hasMore) return { running: newest.data.filter(({ status }) => isRunning(status)), hasCall };
  const found = new Map<string, Call>();
  for (const status of RUNNING) {
    const { data } = await api.calls.list({ status, limit: CALLS_MAX });
    for (const call of data) found.set(call.id, call);
  }
  return { running: [...found.values()], hasCall };
}

const isRunning = (status: Call['status']) => RUNNING.some((each) => each === status);
