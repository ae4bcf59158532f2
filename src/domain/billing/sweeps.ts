import type { Context } from '../../context.ts';
import { defineDeletion, defineSweep, type Sweep } from '../../queue/worker/sweep.ts';
import { chargeAllUsage } from './balance/charge-usage.ts';
import type { Prices } from './prices.ts';
import { rollUpUsage, sweepUsageArchive } from './usage/queries.ts';
import { ARCHIVE_DAYS } from './usage/rules.ts';

const ROLL_UP_EVERY_MS = 15_000;
const ROLL_UP_ROWS = 10_000;
const ARCHIVE_EVERY_MS = 60 * 60_000;
const ARCHIVE_ROWS = 2_000;

/** Returns the recurring work of this module: adding up usage, charging it, deleting old entries. */
export function billingSweeps({ db }: Pick<Context, 'db'>, prices: Prices): Sweep[] {
  return [
    defineSweep({
      db,
      name: 'usage',
      everyMs: ROLL_UP_EVERY_MS,
      run: async () => {
        if ((await rollUpUsage(db, ROLL_UP_ROWS)) === ROLL_UP_ROWS) return true;
        await chargeAllUsage(db, prices);
        return false;
      },
    }),
    defineDeletion({
      db,
      name: 'usage_archive',
      everyMs: ARCHIVE_EVERY_MS,
      rowsMax: ARCHIVE_ROWS,
      remove: (entriesMax) => db.transaction((tx) => sweepUsageArchive(tx, { days: ARCHIVE_DAYS, entriesMax })),
    }),
  ];
}
