import { test } from 'node:test';
import { useHarness } from '../../../test/support/harness.ts';
import { sql, until } from '../../../test/support/jobs.ts';

const harness = await useHarness();

test('workers count the attempts of their jobs in the table of all processes', async () => {
  await until('an attempt is counted', async () => {
    const rows = await sql(harness.context.db, 'select kind from attempt_counts where attempts > 0', []);
    return rows.length > 0;
  });
});
