/**
 * The connections to carriers that an account and other accounts use. A move also creates them in the new database,
 * with the same ids. From then on both databases have them, each for its own accounts.
 */
import type { Client } from 'pg';
import type { Moved } from './fence-queries.ts';
import { CONNECTION_COLUMNS } from './tables.ts';

type SharedConnection = { readonly id: string; readonly name: string; readonly kind: string };

/** A connection, and the resources of the account there. It has none if it is only the choice for new resources. */
export type SharedUse = SharedConnection & { readonly uses: readonly string[] };

/**
 * Returns the connections that the account uses and that are not its own. They include the account's choices for new
 * resources.
 */
export async function listShared(source: Client, { accountId, ledgerIds, connectionIds }: Moved): Promise<SharedUse[]> {
  const { rows: chosen } = await source.query<SharedConnection>(
    `select id, name, kind from carrier_connections
     where id in (select connection_id from carrier_defaults where account_id = $1) and id <> all($2::text[])`,
    [accountId, connectionIds],
  );
  const shared = new Map<string, SharedUse>(chosen.map((each) => [each.id, { ...each, uses: [] }]));
  for (const { table, columns, what } of CONNECTION_COLUMNS) {
    const { rows } = await source.query<SharedConnection & { count: number }>(
      `select c.id, c.name, c.kind, count(*)::integer as count from carrier_connections c
       join (select unnest(array[${columns.join(', ')}]) as id from ${table} where ledger_id = any($1::integer[])) used
         on used.id = c.id
       where c.id <> all($2::text[]) group by c.id`,
      [ledgerIds, connectionIds],
    );
    for (const { count, ...each } of rows) {
      const uses = [...(shared.get(each.id)?.uses ?? []), `${count} ${what}`];
      shared.set(each.id, { ...each, uses });
    }
  }
  return [...shared.values()].toSorted((one, other) => (one.id < other.id ? -1 : 1));
}

/** Creates the shared connections of the account in the other database. Connections that exist there do not change. */
export async function copyShared(source: Client, target: Client, moved: Moved): Promise<void> {
  const ids = (await listShared(source, moved)).map(({ id }) => id);
  const { rows } = await source.query<{ rows: string }>(
    `select coalesce(json_agg(c), '[]')::text as rows from carrier_connections c where id = any($1::text[])`,
    [ids],
  );
  await target.query(
    `insert into carrier_connections select * from json_populate_recordset(null::carrier_connections, $1::json)
     on conflict (id) do nothing`,
    [rows[0]?.rows],
  );
}

/**
 * Stores the account's present connections for new resources as its own choices, because the other database may have
 * other defaults. Does not change an existing choice.
 */
export async function keepDefaults(source: Client, target: Client, moved: Moved): Promise<void> {
  const ids = (await listShared(source, moved)).map(({ id }) => id);
  const { rows } = await source.query<{ rows: string }>(
    `select coalesce(json_agg(d), '[]')::text as rows from carrier_defaults d
     where account_id is null and connection_id = any($1::text[])`,
    [ids],
  );
  await target.query(
    `insert into carrier_defaults (capability, account_id, connection_id)
     select d.capability, $2, d.connection_id from json_populate_recordset(null::carrier_defaults, $1::json) d
     on conflict (capability, account_id) do nothing`,
    [rows[0]?.rows, moved.accountId],
  );
}
