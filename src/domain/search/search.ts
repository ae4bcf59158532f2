import type { Db } from '../../db/database.ts';
import type { Scope } from '../../lib/scope.ts';
import { type Contact, readContactsByWord } from '../contacts/index.ts';
import { readTenantsByWord, type Tenant, tenantFilter } from '../tenants/index.ts';
import { findByName, findByNumber, findConversationsOf } from './queries.ts';
import { readWanted } from './rules.ts';
import type { SearchResult } from './schema.ts';

type Search = { readonly q: string; readonly tenant_id: string | undefined; readonly limit: number };

/**
 * Finds tenants, contacts, numbers and conversations: by id and reference first, then by number, then by name. Errors:
 * tenant_not_found, tenant_restricted_key.
 */
export async function search(db: Db, scope: Scope, { q, tenant_id, limit: rows }: Search): Promise<SearchResult[]> {
  const { text, words, numbers } = readWanted(q);
  const tenantId = await tenantFilter(db, scope, tenant_id);
  const place = { tenant_id: tenantId, rows };
  const byWord = { tenantId, words, before: null, rows };
  const [named, numbered, tenants, contacts] = await Promise.all([
    findByName(db, scope, { ...place, text }),
    Promise.all(numbers.map((number) => findByNumber(db, scope, { ...place, number }))),
    readTenantsByWord(db, scope.ledgerId, byWord),
    readContactsByWord(db, scope.ledgerId, byWord),
  ]);
  const ids = contacts.found.map(({ id }) => id);
  const conversations = await findConversationsOf(db, scope, ids, rows);
  const byName = [...tenants.found.map(tenantResult), ...contacts.found.map(contactResult), ...conversations];
  return distinct([...named, ...numbered.flat(), ...byName]).slice(0, rows);
}

function tenantResult({ id, name, external_ref }: Tenant): SearchResult {
  return { object: 'tenant', id, title: name, detail: external_ref ?? '', tenant_id: id, last_activity_kind: null };
}

function contactResult({ id, name, company, phone_numbers: [number], external_ref, tenant_id }: Contact): SearchResult {
  const parts = [company, number, external_ref].filter((part) => typeof part === 'string');
  return { object: 'contact', id, title: name, detail: parts.join(' · '), tenant_id, last_activity_kind: null };
}

/** Keeps the first of results with the same id. */
function distinct(results: readonly SearchResult[]): SearchResult[] {
  return [...new Map(results.toReversed().map((result) => [result.id, result])).values()].toReversed();
}
