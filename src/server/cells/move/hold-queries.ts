/** What holds an account in its database. */
import type { Client } from 'pg';
import { PROGRAM } from '../../../lib/program.ts';
import type { Moved } from './fence-queries.ts';
import { HOLDING_COLUMNS, HOLDING_TABLES, idsOf, whose } from './tables.ts';

/** Returns a sentence on why the account cannot move; undefined if it can. */
export async function findHolds(source: Client, target: Client, moved: Moved): Promise<string | undefined> {
  return (
    (await findOtherMigrations(source, target)) ??
    (await findConnections(source, moved)) ??
    (await findTaken(source, target, moved))
  );
}

async function findOtherMigrations(source: Client, target: Client): Promise<string | undefined> {
  const [here, there] = await Promise.all(
    [source, target].map(async (client) => {
      const { rows } = await client.query<{ names: string[] }>(
        'select array_agg(name order by number) as names from schema_migrations',
      );
      return rows[0]?.names.join('\n');
    }),
  );
  if (here === there) return undefined;
  return `The two databases have different migrations. Start this version, or run "${PROGRAM} migrate", and try again.`;
}

/** Names what binds the account to connections to carriers, which belong to a cell. */
async function findConnections(source: Client, moved: Moved): Promise<string | undefined> {
  const held = new Map<string, number>();
  const count = async (what: string, table: string, condition: string, value: unknown) => {
    const { rows } = await source.query<{ count: number }>(
      `select count(*)::integer as count from (select 1 from ${table} where ${condition} limit 1000) held`,
      [value],
    );
    const found = rows[0]?.count ?? 0;
    if (found > 0) held.set(what, (held.get(what) ?? 0) + found);
  };
  for (const { table, what } of HOLDING_TABLES) {
    await count(what, table, whose('ledger_id'), idsOf('ledger_id', moved));
  }
  for (const { table, columns, what } of HOLDING_COLUMNS) {
    const isBound = columns.map((column) => `${column} is not null`).join(' or ');
    await count(what, table, `${whose('ledger_id')} and (${isBound})`, moved.ledgerIds);
  }
  await count('connections of its own', 'carrier_connections', whose('account_id'), moved.accountId);
  await count('defaults of connections', 'carrier_defaults', whose('account_id'), moved.accountId);
  if (held.size === 0) return undefined;
  const list = [...held].map(([what, rows]) => `${rows} ${what}`).join(', ');
  return `The account cannot move: it is bound to connections to carriers, which belong to their cell. It has ${list}.`;
}

/** Names the rows that the other database has already. */
async function findTaken(source: Client, target: Client, moved: Moved): Promise<string | undefined> {
  const inUse = await target.query(`select from ledgers where account_id = $1 and state in ('active', 'moving')`, [
    moved.accountId,
  ]);
  if (inUse.rows.length > 0) return 'Both databases have the account in use. Restore one of them from its own backup.';
  const unfinished = await target.query('select from account_moves where account_id = $1', [moved.accountId]);
  if (unfinished.rows.length > 0) return 'An earlier move out of that database is not finished: run it again first.';
  const emails = await source.query<{ email: string }>('select email from users where account_id = $1', [
    moved.accountId,
  ]);
  const taken = await target.query<{ email: string }>(
    'select email from users where lower(email) = any($1::text[]) and account_id is distinct from $2 limit 1',
    [emails.rows.map(({ email }) => email.toLowerCase()), moved.accountId],
  );
  const [user] = taken.rows;
  if (user === undefined) return undefined;
  return `The account cannot move: the other database has a user ${user.email} already.`;
}
