/** The connections to carriers that only this account may use. They move with it. */
import type { Client } from 'pg';

/** SQL of the ids of the account's own connections. `account` is its id as a parameter or a literal. */
export const connectionsOf = (account: string) => `select id from carrier_connections where account_id = ${account}`;

/** Returns the ids of the account's own connections. */
export async function listConnectionIds(client: Client, accountId: string): Promise<string[]> {
  const { rows } = await client.query<{ id: string }>(`${connectionsOf('$1')} order by id`, [accountId]);
  return rows.map(({ id }) => id);
}

/** Closes the account's connections: they accept no requests and no reports until they are opened again. */
export async function closeConnections(source: Client, accountId: string): Promise<void> {
  await source.query(
    `update carrier_connections set status_after_move = status, status = 'disabled'
     where account_id = $1 and status_after_move is null`,
    [accountId],
  );
}

/** Gives the account's connections their earlier status again. */
export async function reopenConnections(client: Client, accountId: string): Promise<void> {
  await client.query(
    `update carrier_connections set status = status_after_move, status_after_move = null
     where account_id = $1 and status_after_move is not null`,
    [accountId],
  );
}

/** A process disconnects from an engine within this time if it could not renew its lease of the engine. */
const DISCONNECTED_MS = 2_000;
const LOOK_FOR_HOLDS_S = 0.1;

/**
 * Waits until no process may be connected to an engine of these connections. It waits in the database, whose clock
 * decides how long a hold lasts.
 * @param onLook called at each look; an error that it throws ends the wait
 * @returns false if a process still is after `withinS`
 */
export async function awaitRelease(
  source: Client,
  { connectionIds }: { readonly connectionIds: readonly string[] },
  { withinS, onLook }: { readonly withinS: number; readonly onLook?: () => Promise<void> },
): Promise<boolean> {
  if (connectionIds.length === 0) return true;
  for (let waitedS = 0; ; waitedS += LOOK_FOR_HOLDS_S) {
    const { rows } = await source.query(
      `select from sip_engines where connection_id = any($1::text[])
         and owned_until > clock_timestamp() - interval '${DISCONNECTED_MS} milliseconds' limit 1`,
      [connectionIds],
    );
    if (rows.length === 0) return true;
    if (waitedS >= withinS) return false;
    await onLook?.();
    await source.query(`select pg_sleep(${LOOK_FOR_HOLDS_S})`);
  }
}
