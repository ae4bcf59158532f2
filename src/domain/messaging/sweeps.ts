import type { Context } from '../../context.ts';
import { defineDeletion, defineSweep, type Sweep } from '../../queue/worker/sweep.ts';
import { sweepReplies } from './auto-replies/queries.ts';
import { healReceipts, RECEIPT_ROUND_MS } from './messages/heal-receipts.ts';
import { sweepNotes } from './notes/queries.ts';
import { sweepCandidates } from './opt-out-candidates/queries.ts';
import { flagMissedConversations } from './opt-outs/queries.ts';
import { messageRetention } from './retention/message-retention.ts';

const EVERY_MS = 60_000;

/**
 * Creates the sweeps of messaging. They delete texts and notes past the retention of their tenant, and expired
 * candidates and automatic replies. They set the opt-out flag of conversations that began during an opt-out, and ask
 * carriers for missing receipts.
 */
export function messagingSweeps(context: Pick<Context, 'db' | 'carriers' | 'log'>): Sweep[] {
  const { db } = context;
  const run = async () => {
    await flagMissedConversations(db);
    return false;
  };
  const heal = async () => {
    await healReceipts(context);
    return false;
  };
  return [
    messageRetention(db),
    defineDeletion({ db, name: 'note_retention', remove: (rowsMax) => sweepNotes(db, { rowsMax }) }),
    defineSweep({ db, name: 'opted_out_conversations', everyMs: EVERY_MS, run }),
    defineDeletion({ db, name: 'opt_out_candidates', remove: (rowsMax) => sweepCandidates(db, rowsMax) }),
    defineDeletion({ db, name: 'auto_replies', remove: (rowsMax) => sweepReplies(db, rowsMax) }),
    defineSweep({ db, name: 'lost_receipts', everyMs: RECEIPT_ROUND_MS, run: heal }),
  ];
}
