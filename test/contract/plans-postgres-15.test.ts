/** The plans of lists on the oldest PostgreSQL that is supported, on a separate server. */
import { dirname } from 'node:path';
import { test } from 'node:test';
import { startTestPostgres } from '../../scripts/testing/postgres.ts';
import { binariesIn } from '../../src/server/embedded-postgres/binaries.ts';
import { closeAfterTests } from '../support/close-after-tests.ts';
import { cloneDatabase } from '../support/database.ts';
import { findProgram, missing } from '../support/programs.ts';
import { testListPlans } from './list-plans.ts';

const program = findProgram('postgresql-15');
if (program === undefined) {
  test('lists walk ranges of indexes on PostgreSQL 15', { skip: missing('postgresql-15') });
} else {
  const server = await startTestPostgres(binariesIn(dirname(dirname(program)), '15'));
  closeAfterTests(() => server.stop());
  const database = await cloneDatabase(server);
  closeAfterTests(() => database.drop());
  await testListPlans(database.url);
}
