/** The conditions that prevent an account from moving. */
import type { Client } from 'pg';
import { readMigrations } from '../../../db/migrate.ts';
import { PROGRAM } from '../../../lib/program.ts';
import type { Moved } from './fence-queries.ts';
import { listShared, type SharedUse } from './shared-connection-queries.ts';
import { CONNECTION_COLUMNS } from './tables.ts';

/** The kind of a connection to SIP engines. */
const ENGINES = 'sip';

/** Returns a sentence that says why the account cannot move; undefined if it can. */
export async function findHolds(source: Client, target: Client, moved: Moved): Promise<string | undefined> {
  const migrations = await findOtherMigrations(source, target);
  if (migrations !== undefined) return migrations;
  const shared = await listShared(source, moved);
  return (
    findSharedEngines(shared) ??
    (await findOthers(source, moved)) ??
    (await findTakenAtCarriers(source, target, { moved, shared })) ??
    (await findTaken(source, target, moved))
  );
}

/** Returns why the databases or this program differ in their migrations. */
async function findOtherMigrations(source: Client, target: Client): Promise<string | undefined> {
  const [here, there] = await Promise.all(
    [source, target].map(async (client) => {
      const { rows } = await client.query<{ names: string[] }>(
        'select array_agg(name order by number) as names from schema_migrations',
      );
      return rows[0]?.names.join('\n');
    }),
  );
  if (here !== there) {
    return `The two databases have different migrations. Start this version, or run "${PROGRAM} migrate", and try again.`;
  }
  // A program of another version does not know all tables with rows of the account.
  const known = (await readMigrations()).map(({ name }) => name).join('\n');
  if (here === known) return undefined;
  return 'The databases have other migrations than this program. Move the account with the version that serves them.';
}

/**
 * Returns the SIP engines that the account uses or has chosen, and does not own, with its resources there. They prevent
 * a move, because a process hangs up an engine's calls that are not in its own database.
 */
function findSharedEngines(shared: readonly SharedUse[]): string | undefined {
  const engines = shared.filter(({ kind }) => kind === ENGINES);
  if (engines.length === 0) return undefined;
  const list = engines.map(({ name, uses }) => `${name} (${uses.join(', ') || 'the default for its calls'})`);
  return `The account cannot move: it uses SIP engines that others use too, and the calls of an engine belong to one cell: ${list.join('; ')}.`;
}

/** Returns the name of one of the account's own connections that other accounts use. */
async function findOthers(source: Client, { accountId, ledgerIds, connectionIds }: Moved): Promise<string | undefined> {
  if (connectionIds.length === 0) return undefined;
  const uses = CONNECTION_COLUMNS.flatMap(({ table, columns }) =>
    columns.map(
      (column) =>
        `(select ${column} as id from ${table} where ${column} = any($1::text[]) and ledger_id <> all($2::integer[]) limit 1)`,
    ),
  );
  const { rows } = await source.query<{ name: string }>(
    `select name from carrier_connections where id in (
       select connection_id from carrier_defaults where connection_id = any($1::text[]) and account_id is distinct from $3
       union all ${uses.join(' union all ')}) order by name limit 1`,
    [connectionIds, ledgerIds, accountId],
  );
  const [used] = rows;
  if (used === undefined) return undefined;
  return `The account cannot move: its connection ${used.name} is also used by others.`;
}

/** Returns the name of a connection or a number that the other database already has. */
async function findTakenAtCarriers(
  source: Client,
  target: Client,
  { moved, shared }: { readonly moved: Moved; readonly shared: readonly SharedUse[] },
): Promise<string | undefined> {
  const ids = [...moved.connectionIds, ...shared.map(({ id }) => id)];
  const name = await findFirstTaken(source, target, {
    own: ['select name as value from carrier_connections where id = any($1::text[])', ids],
    others: ['select name as value from carrier_connections where id <> all($1::text[])', ids],
  });
  if (name !== undefined) return `The account cannot move: the other database has a connection ${name} already.`;
  const number = await findFirstTaken(source, target, {
    own: ['select phone_number as value from live_numbers where ledger_id = any($1::integer[])', moved.ledgerIds],
    others: ['select phone_number as value from live_numbers where ledger_id <> all($1::integer[])', moved.ledgerIds],
  });
  if (number === undefined) return undefined;
  return `The account cannot move: the other database has the number ${number} already.`;
}

/** How many values are compared at a time, and kept in memory. */
const PAGE = 1_000;

/** A statement that returns a text `value` for each row, and the statement's parameter. */
type Values = readonly [text: string, parameter: unknown];

/** Returns the account's first value that another account in the other database has too. */
async function findFirstTaken(
  source: Client,
  target: Client,
  { own, others }: { readonly own: Values; readonly others: Values },
): Promise<string | undefined> {
  for (let after = ''; ; ) {
    const { rows: page } = await source.query<{ value: string }>(
      `select value from (${own[0]}) own where value > $2 order by value limit ${PAGE}`,
      [own[1], after],
    );
    const { rows: taken } = await target.query<{ value: string }>(
      `select value from (${others[0]}) others where value = any($2::text[]) order by value limit 1`,
      [others[1], page.map(({ value }) => value)],
    );
    if (taken[0] !== undefined || page.length < PAGE) return taken[0]?.value;
    after = page.at(-1)?.value ?? after;
  }
}

/** Returns a sentence about something of the account that the other database already has. */
async function findTaken(source: Client, target: Client, moved: Moved): Promise<string | undefined> {
  const inUse = await target.query(`select from ledgers where account_id = $1 and state in ('active', 'moving')`, [
    moved.accountId,
  ]);
  if (inUse.rows.length > 0) return 'Both databases have the account in use. Restore one of them from its own backup.';
  const unfinished = await target.query('select from account_moves where account_id = $1', [moved.accountId]);
  if (unfinished.rows.length > 0) return 'An earlier move out of that database is not finished: run it again first.';
  const email = await findFirstTaken(source, target, {
    own: ['select email as value from users where account_id = $1', moved.accountId],
    others: ['select email as value from users where account_id is distinct from $1', moved.accountId],
  });
  if (email === undefined) return undefined;
  return `The account cannot move: the other database has a user ${email} already.`;
}
