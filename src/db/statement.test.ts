import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql, useJobsDatabase } from '../../test/support/jobs.ts';
import { inputOf } from './input.ts';
import { bind, statement } from './statement.ts';

const { db } = await useJobsDatabase();

test('a name gets one position wherever it stands, and its value', () => {
  const pair = statement<{ readonly id: string; readonly kind: string }>(
    'test_pair',
    'select :kind::text, :id where :id = :kind',
  );
  const bound = bind(pair, { id: 'a', kind: 'b' });
  assert.deepEqual(bound, { name: 'test_pair', text: 'select $1::text, $2 where $2 = $1', values: ['b', 'a'] });
});

test('text in quotes and casts are no parameters', async () => {
  const quoted = statement<{ readonly id: string }, Record<string, string>>(
    'test_quoted',
    `select 'it''s :id' || ':id' as "a:id", to_char(timestamptz '2026-01-01 09:30:00Z' at time zone 'UTC', 'HH24:MI:SS') as at,
       :id::text::text as id`,
  );
  assert.deepEqual(await db.query(quoted, { id: 'x' }), [{ 'a:id': `it's :id:id`, at: '09:30:00', id: 'x' }]);
});

test('the text of a statement is made once', () => {
  const once = statement<{ readonly id: string }>('test_once', 'select :id');
  assert.equal(bind(once, { id: 'a' }).text, bind(once, { id: 'b' }).text);
});

test('a value that is missing is an error, and null is a value', () => {
  const two = statement<{ readonly id: string | null; readonly kind?: string }>('test_two', 'select :id, :kind');
  assert.throws(() => bind(two, { id: null }), /statement test_two has no value for :kind/);
  assert.deepEqual(bind(two, { id: null, kind: 'k' }).values, [null, 'k']);
});

test('names and positions do not mix, and an unknown column is refused when the statement is declared', () => {
  assert.throws(() => statement('test_mixed', 'select :id, $1'), /both names and positions/);
  inputOf<string>('test_known', { id: ['text', (id) => id] });
  assert.throws(() => statement('test_unknown', 'select :test_known.name'), /no input test_known.name/);
});

type Item = {
  readonly text: string | null;
  readonly count: number | null;
  readonly is_on: boolean | null;
  readonly id: string;
  readonly at: Date | null;
  readonly bytes: Buffer | null;
  readonly data: object | null;
};

const ITEMS = inputOf<Item>('test_items', {
  text: ['text', ({ text }) => text],
  count: ['int', ({ count }) => count],
  is_on: ['boolean', ({ is_on }) => is_on],
  id: ['joined text', ({ id }) => id],
  at: ['timestamptz', ({ at }) => at],
  bytes: ['bytea', ({ bytes }) => bytes],
  data: ['json', ({ data }) => data],
});

test('an input has each item as a row, with its nulls and in order', async () => {
  const read = statement<{ readonly test_items: readonly Item[] }, Item & { readonly n: number }>(
    'test_rows',
    `select * from ${ITEMS.rows('i', 'n')} order by n desc`,
  );
  const items: Item[] = [
    {
      text: `"quotes", {braces}, \\ and 'more'`,
      count: -3,
      is_on: true,
      id: '{"a":"b,c"}',
      at: new Date(0),
      bytes: Buffer.of(0, 255),
      data: { '"': [1, null] },
    },
    { text: null, count: null, is_on: null, id: 'x', at: null, bytes: null, data: null },
    { text: '', count: 0, is_on: false, id: 'null', at: null, bytes: Buffer.of(), data: [] },
  ];
  const rows = await db.query(read, { test_items: items });
  assert.deepEqual(rows, items.map((item, index) => ({ ...item, n: index + 1 })).reverse());
  assert.deepEqual(await db.query(read, { test_items: [] }), []);
});

test('a connection plans a statement once, however few values it has', async () => {
  const read = statement<{ readonly ids: readonly string[] }, { readonly id: string }>(
    'test_planned_once',
    'select id from unnest(:ids::text[]) as id',
  );
  const plans = await db.transaction(async (tx) => {
    for (let run = 0; run < 10; run++) await tx.query(read, { ids: ['one'] });
    const text = 'select custom_plans::int as custom from pg_prepared_statements where name = $1';
    return await sql<{ custom: number }>(tx, text, [read.name]);
  });
  assert.deepEqual(plans, [{ custom: 0 }]);
});
