/** What is done again and again for calls at Telnyx: legs that must end, and rows whose time is over. */

import { defineSweep, type Sweep } from '../../../queue/worker/sweep.ts';
import type { AdapterParts } from '../../adapter.ts';
import { defineCallRetention } from '../../book/retention-queries.ts';
import { hangUpAtTelnyx } from './dial.ts';
import { listUnended } from './leg-queries.ts';
import type { VoiceLine } from './voice-line.ts';

const ROUND_MS = 60_000;
/** The report of an end may still come. */
const OLDER_MS = 20_000;
const LEGS_MAX = 200;

/** @param lines the open connections by their ids */
export function callSweeps({ db }: Pick<AdapterParts, 'db'>, lines: ReadonlyMap<string, VoiceLine>): Sweep[] {
  return [
    defineSweep({
      ...{ db, name: 'telnyx_unended_legs', everyMs: ROUND_MS, queue: 'voice' },
      run: async () => {
        for (const leg of await listUnended(db, { olderMs: OLDER_MS, rows: LEGS_MAX })) {
          const line = lines.get(leg.connectionId);
          if (line !== undefined) await hangUpAtTelnyx(line, leg);
        }
        return false;
      },
    }),
    ...(['telnyx_legs', 'telnyx_playbacks', 'telnyx_recordings'] as const).map((table) =>
      defineCallRetention(db, table),
    ),
  ];
}
