/** Repeated tasks for calls at Telnyx: end legs that must end, and delete expired rows. */

import { defineSweep, type Sweep } from '../../../queue/worker/sweep.ts';
import type { AdapterParts } from '../../adapter.ts';
import { defineCallRetention } from '../../book/retention-queries.ts';
import { hangUpAgain } from './dial.ts';
import { takeUnended } from './leg-queries.ts';
import type { VoiceLine } from './voice-line.ts';

const ROUND_MS = 60_000;
/** The sweep skips legs that were hung up less than this long ago. The report of their end may still arrive. */
const OLDER_MS = 20_000;
const LEGS_MAX = 200;
/** After this many requests without an answer, a connection waits for the next round. So it does not delay others. */
const UNANSWERED_MAX = 3;

/** @param lines the open connections by their ids */
export function callSweeps({ db }: Pick<AdapterParts, 'db'>, lines: ReadonlyMap<string, VoiceLine>): Sweep[] {
  return [
    defineSweep({
      ...{ db, name: 'telnyx_unended_legs', everyMs: ROUND_MS, queue: 'voice' },
      run: async () => {
        const unanswered = new Map<string, number>();
        for (const leg of await takeUnended(db, { olderMs: OLDER_MS, rows: LEGS_MAX })) {
          const line = lines.get(leg.connectionId);
          const count = unanswered.get(leg.connectionId) ?? 0;
          if (line === undefined || count >= UNANSWERED_MAX) continue;
          if (!(await hangUpAgain(line, leg))) unanswered.set(leg.connectionId, count + 1);
        }
        return false;
      },
    }),
    ...(['telnyx_legs', 'telnyx_playbacks', 'telnyx_recordings'] as const).map((table) =>
      defineCallRetention(db, table),
    ),
  ];
}
