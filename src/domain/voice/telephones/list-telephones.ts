import type { Carriers, ListedTelephone } from '../../../carriers/ports/carrier.ts';
import type { Db } from '../../../db/database.ts';
import type { Position } from '../../../http/schemas/pagination.ts';
import { sipPhoneOf } from '../../../lib/phone/agent-address.ts';
import type { Ledger } from '../../../lib/scope.ts';
import { findTenantIds } from '../../tenants/index.ts';
import type { SipPhone } from './schema.ts';

type OfTenant = ListedTelephone & { readonly name: string; readonly tenantId: string };

type Page = {
  /** Null for all tenants of the ledger. */
  readonly tenantId: string | null;
  /** The tenant and name of the telephone before the page. */
  readonly after: Position;
  readonly rows: number;
};

/**
 * Returns telephones of tenants by tenant and name. Operators set telephones, at most 50 at each connection, so all are
 * in memory. If two connections have a telephone of the same tenant and name, the older connection counts.
 */
export async function listSipPhones(
  { db, carriers }: { readonly db: Db; readonly carriers: Pick<Carriers, 'listTelephones'> },
  ledger: Ledger,
  { tenantId, after, rows }: Page,
): Promise<SipPhone[]> {
  const all = (await carriers.listTelephones(ledger)).filter(isOfTenant);
  const wanted = tenantId === null ? all : all.filter((phone) => phone.tenantId === tenantId);
  if (wanted.length === 0) return [];
  // A connection may serve several accounts, and settings may name deleted tenants.
  const tenants = await findTenantIds(db, ledger, [...new Set(wanted.map((phone) => phone.tenantId))]);
  const byKey = new Map<string, OfTenant>();
  for (const phone of wanted) {
    const key = keyOf(phone.tenantId, phone.name);
    if (tenants.has(phone.tenantId) && !byKey.has(key)) byKey.set(key, phone);
  }
  const start = after === null ? '' : keyOf(after[0] ?? '', after[1] ?? '');
  const keys = [...byKey.keys()].filter((key) => key > start).sort();
  return keys.slice(0, rows).map((key) => shown(byKey.get(key) as OfTenant));
}

function isOfTenant(phone: ListedTelephone): phone is OfTenant {
  return phone.name !== null && phone.tenantId !== null;
}

/** Ids and names have no blanks. */
function keyOf(tenantId: string, name: string): string {
  return `${tenantId} ${name}`;
}

function shown({ name, tenantId, number, extensions, engines }: OfTenant): SipPhone {
  return {
    ...{ id: sipPhoneOf(name), object: 'sip_phone', tenant_id: tenantId, name, phone_number: number },
    extensions: [...extensions],
    ...registrationOf(engines),
  };
}

function registrationOf(engines: ListedTelephone['engines']): Pick<SipPhone, 'registration' | 'registered_since'> {
  const times = engines.filter(({ registration }) => registration === 'registered').map(({ since }) => since);
  const [earliest] = times.filter((since) => since !== null).sort((a, b) => a.getTime() - b.getTime());
  if (earliest !== undefined) return { registration: 'registered', registered_since: earliest };
  const isUnknown = engines.some(({ registration }) => registration === 'unknown');
  return { registration: isUnknown ? 'unknown' : 'not_registered', registered_since: null };
}
