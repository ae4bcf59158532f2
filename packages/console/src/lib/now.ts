import { useState } from 'react';
import { useRead } from '../api/queries.ts';
import { useLedger } from '../app/ledger.ts';

/** How often the clock of a test ledger is read again, because the person may move it on another page. */
const READ_EVERY_MS = 15_000;

/**
 * Returns the ledger's time at its latest read. The clock of test mode can be moved. Undefined before the first read.
 */
export function useNow(): Date | undefined {
  const { mode } = useLedger();
  const [opened] = useState(() => new Date());
  const { data } = useRead(['clock'], (api) => api.test.getClock(), {
    enabled: mode === 'test',
    everyMs: READ_EVERY_MS,
  });
  if (mode === 'live') return opened;
  return data === undefined ? undefined : new Date(data.now);
}
