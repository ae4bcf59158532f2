/** The telephones in the settings of a connection, in the form that an operator sees. */
import type { Db } from '../../db/database.ts';
import type { Static } from '../../lib/type.ts';
import type { AdapterKind } from '../adapter.ts';
import { type ConnectionRow, findLiveTenants } from './queries.ts';
import type { Telephone } from './schema.ts';

/** Returns the telephones of a connection with their tenants. A connection of another kind of carrier has none. */
export async function readTelephones(
  kinds: readonly AdapterKind[],
  db: Db,
  row: ConnectionRow,
): Promise<Static<typeof Telephone>[]> {
  const kind = kinds.find(({ description }) => description.kind === row.kind);
  const telephones = (await kind?.telephones?.list(db, row)) ?? [];
  const ids = new Set(telephones.flatMap(({ tenantId }) => tenantId ?? []));
  const tenants = ids.size === 0 ? new Map() : await findLiveTenants(db, [...ids]);
  return telephones.map(({ tenantId: id, name, number, extensions, engines }) => ({
    ...{ object: 'telephone', name, number },
    tenant: id === null ? null : { name: null, account_id: null, ...tenants.get(id), id },
    extensions: [...extensions],
    engines: [...engines],
  }));
}
