import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pino } from 'pino';
import { closeAfterTests } from '../../test/support/close-after-tests.ts';
import { cloneDatabase } from '../../test/support/database.ts';
import { sql } from '../../test/support/jobs.ts';
import { openDatabase } from './database.ts';
import { byMoment, type ListPage, type ListTable, listReader, type Positioned, tenantReader } from './list.ts';

const database = await cloneDatabase();
closeAfterTests(() => database.drop());
const db = openDatabase({ url: database.url, connectionsMax: 2, log: pino({ level: 'silent' }) });
closeAfterTests(() => db.close());

// 600 things of two ledgers, three tenants and four kinds. Up to twenty share a moment.
await sql(
  db,
  `create table things (ledger_id integer, id text collate "C", tenant_id text collate "C", kind text, at timestamptz)`,
);
await sql(
  db,
  `insert into things select n % 2, 'thg_' || lpad((n * 7919 % 600)::text, 3, '0'), 'tnt_' || n % 3, 'k' || n % 7 % 4,
     timestamptz '2026-01-01' + interval '1 day' * (n / 20) from generate_series(0, 599) n`,
);

type Thing = { id: string };
const THINGS: ListTable = { name: 'things', from: ['things', 't'], columns: 't.id', filters: { kind: 't.kind = ?' } };
const BY_TIME: ListTable = { ...THINGS, name: 'things_by_time', order: byMoment('t.at') };
const KIND = { sql: 't.kind' };
const KINDS = [['k0'], ['k1'], ['k2'], ['k3']];

/** Reads all pages of a list. */
async function readAll(
  read: (page: Pick<ListPage, 'before' | 'rows'>) => Promise<readonly (Thing & { position?: string })[]>,
): Promise<string[]> {
  const ids: string[] = [];
  let before: string[] | null = null;
  for (;;) {
    const rows = await read({ before, rows: 8 });
    const page = rows.slice(0, 7);
    ids.push(...page.map(({ id }) => id));
    const last = page.at(-1);
    if (rows.length < 8 || last === undefined) return ids;
    before = last.position === undefined ? [last.id] : [last.position, last.id];
  }
}

/** Returns the ids that a plain query returns. */
async function idsOf(condition: string, order = 'at desc, id desc'): Promise<string[]> {
  const rows = await sql<Thing>(db, `select id from things where ledger_id = 1 and ${condition} order by ${order}`);
  assert.ok(rows.length > 7, 'the list has several pages');
  return rows.map(({ id }) => id);
}

test('the pages of merged ranges have every row once, in order, also where rows share a moment', async () => {
  const read = tenantReader<Positioned<Thing>>(BY_TIME, [KIND]);
  const all = await readAll((page) => read(db, 1, { tenantId: null, arms: KINDS, ...page }));
  assert.deepEqual(all, await idsOf('true'));
  const own = await readAll((page) => read(db, 1, { tenantId: 'tnt_1', arms: KINDS, ...page }));
  assert.deepEqual(own, await idsOf(`tenant_id = 'tnt_1'`));
  const some = await readAll((page) => read(db, 1, { tenantId: 'tnt_1', arms: [['k0'], ['k3']], ...page }));
  assert.deepEqual(some, await idsOf(`tenant_id = 'tnt_1' and kind in ('k0', 'k3')`));
  assert.deepEqual(await read(db, 1, { tenantId: null, arms: [], before: null, rows: 8 }), []);
});

test('a range of times includes its start and excludes its end, beside a filter on rows', async () => {
  const read = listReader<Positioned<Thing>>(BY_TIME, { name: 'all', keys: [] });
  const range = { start: new Date('2026-01-05Z'), end: new Date('2026-01-12Z') };
  const within = `at >= '2026-01-05Z' and at < '2026-01-12Z'`;
  assert.deepEqual(await readAll((page) => read(db, 1, { range, ...page })), await idsOf(within));
  const filters = { kind: 'k2' };
  const filtered = await readAll((page) => read(db, 1, { range, filters, ...page }));
  assert.deepEqual(filtered, await idsOf(`${within} and kind = 'k2'`));
});

test('a range of times within a tenant has its rows alone, in both orders, also where it has few', async () => {
  const range = { start: new Date('2026-01-12Z'), end: new Date('2026-01-20Z') };
  const filters = { kind: 'k2' };
  for (const [name, ascending] of [['things_back', false] as const, ['things_on', true] as const]) {
    const read = tenantReader<Positioned<Thing>>({ ...BY_TIME, name, ascending }, []);
    const within = `tenant_id = 'tnt_1' and at >= '2026-01-12Z' and at < '2026-01-20Z'`;
    const order = ascending ? 'at, id' : 'at desc, id desc';
    assert.deepEqual(
      await readAll((page) => read(db, 1, { tenantId: 'tnt_1', range, ...page })),
      await idsOf(within, order),
    );
    const filtered = await readAll((page) => read(db, 1, { tenantId: 'tnt_1', range, filters, ...page }));
    assert.deepEqual(filtered, await idsOf(`${within} and kind = 'k2'`, order));
    const none = { start: new Date('2026-01-12T12:00:00Z'), end: new Date('2026-01-12T13:00:00Z') };
    assert.deepEqual(await read(db, 1, { tenantId: 'tnt_1', range: none, before: null, rows: 8 }), []);
  }
});

test('an ascending list begins with the oldest', async () => {
  const read = tenantReader<Positioned<Thing>>({ ...BY_TIME, name: 'things_forward', ascending: true }, [KIND]);
  const ids = await readAll((page) => read(db, 1, { tenantId: 'tnt_2', arms: KINDS, ...page }));
  assert.deepEqual(ids, await idsOf(`tenant_id = 'tnt_2'`, 'at, id'));
});

test('a list without a time is ordered by ids', async () => {
  const read = tenantReader<Thing>(THINGS, [KIND]);
  const ids = await readAll((page) => read(db, 1, { tenantId: 'tnt_0', arms: KINDS, ...page }));
  assert.deepEqual(ids, await idsOf(`tenant_id = 'tnt_0'`, 'id desc'));
});

test('keys that the index has joined, keys that it has apart, and truths are compared as their values', async () => {
  const keys = [{ sql: 't.tenant_id' }, { sql: `(t.kind = 'k1')`, type: 'boolean' } as const];
  for (const keysApart of [false, true]) {
    const read = listReader<Positioned<Thing>>(BY_TIME, { name: `keys_${keysApart}`, keys, keysApart });
    const ids = await readAll((page) => read(db, 1, { arms: [['tnt_0', true]], ...page }));
    assert.deepEqual(ids, await idsOf(`tenant_id = 'tnt_0' and kind = 'k1'`));
  }
});
