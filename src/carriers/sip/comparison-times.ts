/** When an engine's channels are compared with the stored legs. */
import { NEW_MS } from './leg-queries.ts';
import type { Comparison } from './reconcile.ts';

/** How often an engine is compared while its socket is open, because events may still get lost. */
const RECONCILE_MS = 60_000;
/**
 * After a connection, the engine is compared a second time after this. By then no leg from before the connection counts
 * as new.
 */
const AGAIN_MS = NEW_MS + 1_000;

type Compared = Pick<Comparison, 'seenAt' | 'isWanted'>;

/** Compares an engine when it connects, again after AGAIN_MS, and then every RECONCILE_MS. */
export function createComparison(nowMs: () => number, run: (compared: Compared) => Promise<void>) {
  let comparedAt = 0;
  let heardBefore: Date | undefined;
  const compare = async (compared: Compared) => {
    comparedAt = nowMs();
    await run(compared);
  };
  const untilAgain = RECONCILE_MS - AGAIN_MS;
  const note = (since: Date) => {
    if (heardBefore === undefined || since < heardBefore) heardBefore = since;
  };
  return {
    /** The second comparison covers legs that were dialled just before the socket opened. */
    begin: async (compared: Compared) => {
      await compare(compared);
      note(compared.seenAt);
      comparedAt -= untilAgain;
    },
    /** Both comparisons use the first `seenAt`: a leg that is missing in the second may have ended before the first. */
    keepUp: async ({ seenAt, isWanted }: Compared) => {
      if (nowMs() - comparedAt <= RECONCILE_MS) return;
      const before = heardBefore;
      // It is reset before the comparison. So events that are lost during the comparison count for the next one.
      heardBefore = undefined;
      try {
        await compare({ seenAt: before ?? seenAt, isWanted });
      } catch (error) {
        if (before !== undefined) note(before);
        throw error;
      }
    },
    /**
     * Makes the next comparison come soon. Events after `since` were lost. So a leg that is gone may have ended at any
     * time after it.
     */
    repeatSoon: (since: Date) => {
      note(since);
      comparedAt = Math.min(comparedAt, nowMs() - untilAgain);
    },
  };
}
