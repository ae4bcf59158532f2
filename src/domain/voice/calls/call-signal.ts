/**
 * Signals within this process, after a commit: the beginning and the end of calls, for metrics, and new commands, for
 * a drain that waits for the carrier.
 */
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

const COMMANDS_TOPIC = 'call-commands';

/** Signals, after the commit, that a call has new commands. */
export function signalCommands(db: Pick<Db, 'signal'>, callId: string): void {
  db.signal({ topic: COMMANDS_TOPIC, payload: callId });
}

/** Returns the id of the call that a signal reports to have new commands, if it reports one. */
export function callWithCommands({ topic, payload }: Signal): string | undefined {
  return topic === COMMANDS_TOPIC ? String(payload) : undefined;
}
