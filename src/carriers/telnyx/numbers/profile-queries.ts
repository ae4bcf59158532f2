import type { Db } from '../../../db/database.ts';
import { statement } from '../../../db/statement.ts';

export type ProfileName = { readonly ledgerId: number; readonly connectionId: string; readonly tenantId: string };

const FIND = statement(
  'telnyx_profiles_find',
  `select profile_id as "profileId" from telnyx_profiles
   where ledger_id = $1 and connection_id = $2 and tenant_id = $3`,
);

/** Returns the id of a tenant's messaging profile at Telnyx, if it has one. */
export async function findProfile(
  db: Db,
  { ledgerId, connectionId, tenantId }: ProfileName,
): Promise<string | undefined> {
  const [row] = await db.query<{ profileId: string }>(FIND, [ledgerId, connectionId, tenantId]);
  return row?.profileId;
}

// If a concurrent order of the tenant has made another profile, the stored one counts. The update changes nothing.
// Without it the statement would not return the stored profile.
const KEEP = statement(
  'telnyx_profiles_keep',
  `insert into telnyx_profiles as p (ledger_id, connection_id, tenant_id, profile_id) values ($1, $2, $3, $4)
   on conflict (ledger_id, connection_id, tenant_id) do update set profile_id = p.profile_id
   returning profile_id as "profileId"`,
);

/** Stores the id of a tenant's profile. If another id is stored already, returns that one. */
export async function keepProfile(
  db: Db,
  { ledgerId, connectionId, tenantId }: ProfileName,
  profileId: string,
): Promise<string> {
  const [row] = await db.query<{ profileId: string }>(KEEP, [ledgerId, connectionId, tenantId, profileId]);
  return row?.profileId ?? profileId;
}

const LIST = statement(
  'telnyx_profiles_list',
  `select profile_id as "profileId", tenant_id as "tenantId" from telnyx_profiles
   where connection_id = $1 and profile_id = any($2)`,
);

/** Returns the tenants of these profiles by profile id. Leaves out profiles of other connections. */
export async function listProfileTenants(
  db: Db,
  connectionId: string,
  profileIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const rows = await db.query<{ profileId: string; tenantId: string }>(LIST, [connectionId, profileIds]);
  return new Map(rows.map(({ profileId, tenantId }) => [profileId, tenantId]));
}
