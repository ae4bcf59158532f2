/** The oldest PostgreSQL that is supported, on a separate server. */
import { dirname } from 'node:path';
import { startTestPostgres } from '../../scripts/testing/postgres.ts';
import { openDatabase } from '../../src/db/database.ts';
import { createAccount } from '../../src/domain/accounts/index.ts';
import { binariesIn } from '../../src/server/embedded-postgres/binaries.ts';
import { closeAfterTests } from '../support/close-after-tests.ts';
import { cloneDatabase } from '../support/database.ts';
import { silentLog } from '../support/jobs.ts';
import { findProgram, missing } from '../support/programs.ts';

/** Why tests that need it are skipped on this machine, or false if it is installed. */
export const noOldest = missing('postgresql-15');

/** Starts it for the tests of the file. Returns the address of a database with the first account of a product. */
export async function useOldestDatabase(): Promise<string> {
  const folder = dirname(dirname(findProgram('postgresql-15') as string));
  const server = await startTestPostgres(binariesIn(folder, '15'));
  closeAfterTests(() => server.stop());
  const { url, drop } = await cloneDatabase(server);
  closeAfterTests(drop);
  const db = openDatabase({ url, connectionsMax: 1, log: silentLog });
  await db.transaction((tx) => createAccount(tx, 'First account'));
  await db.close();
  return url;
}
