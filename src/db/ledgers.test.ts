import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isTestFile, readSources } from '../../scripts/source-files.ts';
import { useJobsDatabase } from '../../test/support/jobs.ts';
import { LEDGER_NOW } from './ledgers.ts';
import { statement } from './statement.ts';

const { db, ledgerId } = await useJobsDatabase();

test('a statement has one present, in whatever places it names it', async () => {
  const text = `select now.at as first, pg_sleep(0.002), now.at as second from ${LEDGER_NOW}`;
  type Row = { readonly first: Date; readonly second: Date };
  const [row] = await db.query(statement<{ readonly ledger_id: number }, Row>('test_ledger_now', text), {
    ledger_id: ledgerId,
  });
  assert.deepEqual(row?.first, row?.second);
});

test('no statement takes its present from a subquery that PostgreSQL unfolds into several', () => {
  const unfolded = /from \(select ledger_now\([^)]*\) as \w+\)|join \(select ledger_now\([^)]*\) as \w+\)/;
  const sources = [...readSources('.')].filter(([path]) => path.startsWith('src/') && !isTestFile(path));
  assert.ok(sources.length > 500);
  assert.deepEqual(
    sources.filter(([, text]) => unfolded.test(text)).map(([path]) => path),
    [],
  );
});
