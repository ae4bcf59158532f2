/** The connections to carriers that are for the account alone. They move with it. */
import type { Client } from 'pg';

/** SQL of the ids of the account's own connections, by its id as a parameter or a literal. */
export const connectionsOf = (account: string) => `select id from carrier_connections where account_id = ${account}`;

/** Returns the ids of the account's own connections. */
export async function listConnectionIds(client: Client, accountId: string): Promise<string[]> {
  const { rows } = await client.query<{ id: string }>(`${connectionsOf('$1')} order by id`, [accountId]);
  return rows.map(({ id }) => id);
}

/** Lets the account's connections take no requests and no reports until they are opened again. */
export async function closeConnections(source: Client, accountId: string): Promise<void> {
  await source.query(
    `update carrier_connections set status_after_move = status, status = 'disabled'
     where account_id = $1 and status_after_move is null`,
    [accountId],
  );
}

/** Gives the account's connections the status that they had. */
export async function reopenConnections(client: Client, accountId: string): Promise<void> {
  await client.query(
    `update carrier_connections set status = status_after_move, status_after_move = null
     where account_id = $1 and status_after_move is not null`,
    [accountId],
  );
}
