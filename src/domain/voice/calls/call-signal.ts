/** Signals the beginning and the end of calls within this process, after their commit, for metrics. */
import type { Db, Signal } from '../../../db/database.ts';
import type { Call } from './call.ts';

const TOPIC = 'calls';

/** A call that has begun, or one that has ended with its outcome. */
type CallCount = Pick<Call, 'direction'> & { readonly ended: boolean; readonly outcome: string };

/** Sends the signal; within a transaction, after its commit. */
export function signalCall(db: Pick<Db, 'signal'>, { direction, outcome, endedAtMs }: Call): void {
  const payload: CallCount = { direction, ended: endedAtMs !== null, outcome: outcome ?? 'none' };
  db.signal({ topic: TOPIC, payload });
}

/** Returns what a signal reports of a call, if it reports one. */
export function callCountOf({ topic, payload }: Signal): CallCount | undefined {
  return topic === TOPIC ? (payload as CallCount) : undefined;
}
