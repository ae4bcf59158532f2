import type { Context } from '../../context.ts';
import { defineSweep, type Sweep } from '../../queue/worker/sweep.ts';
import { flagMissedConversations } from './opt-outs/queries.ts';

const EVERY_MS = 60_000;

/** Creates the sweeps of messaging: the opt-out flag of conversations that began at the same moment. */
export function messagingSweeps({ db }: Pick<Context, 'db'>): Sweep[] {
  const run = async () => {
    await flagMissedConversations(db);
    return false;
  };
  return [defineSweep({ db, name: 'opted_out_conversations', everyMs: EVERY_MS, run })];
}
