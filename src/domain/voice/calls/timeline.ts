import type { TimelineSource } from '../../messaging/index.ts';
import { listCallsOfConversation } from './queries.ts';
import { Call } from './schema.ts';

/** The calls of a thread. */
export const callTimeline: TimelineSource = {
  kind: 'call',
  schema: Call,
  list: (context, ledger, page) => listCallsOfConversation(context.db, ledger, page),
};
