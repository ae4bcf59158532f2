/** Tells this process that the books of a simulated call were written: who makes the call audible reads them again. */
import type { Db, Signal } from '../../../db/database.ts';

const TOPIC = 'simulated-call';

/** Within a transaction the signal goes out once it has committed. */
export function signalChange(db: Pick<Db, 'signal'>, callRef: string): void {
  db.signal({ topic: TOPIC, payload: callRef });
}

/** The call that a signal is about, if it is about one. */
export function changedCallOf({ topic, payload }: Signal): string | undefined {
  return topic === TOPIC ? (payload as string) : undefined;
}
