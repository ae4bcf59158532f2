import type { TeardownStep } from '../../../context.ts';
import type { Db, Tx } from '../../../db/database.ts';
import { ApiError } from '../../../lib/errors/errors.ts';
import { newId } from '../../../lib/ids.ts';
import { type Scope, visible } from '../../../lib/scope.ts';
import { getTenant, lockTenantShared } from '../../tenants/index.ts';
import {
  deleteContactRow,
  deleteContactsOfTenant,
  findContact,
  insertContact,
  lockContact,
  replaceContact,
} from './queries.ts';
import type { Contact, CreateContact, UpdateContact } from './schema.ts';

/**
 * Creates a contact. Errors: tenant_not_found, tenant_restricted_key, contact_number_taken, external_ref_taken.
 */
export async function createContact(tx: Tx, scope: Scope, wanted: CreateContact): Promise<Contact> {
  const tenant_id = await requireOpenTenant(tx, scope, wanted.tenant_id);
  return storeContact(tx, scope, { ...wanted, tenant_id });
}

/**
 * Locks a tenant against its deletion until the transaction ends, and returns its id. Errors: tenant_not_found,
 * tenant_restricted_key.
 */
export async function requireOpenTenant(tx: Tx, scope: Scope, tenantId: string): Promise<string> {
  const { id } = await getTenant(tx, scope, tenantId);
  if (!(await lockTenantShared(tx, scope, id))) throw new ApiError('tenant_not_found', { param: 'tenant_id' });
  return id;
}

/** Inserts a contact of a locked tenant. Errors: contact_number_taken, external_ref_taken. */
export async function storeContact(tx: Tx, scope: Scope, wanted: CreateContact): Promise<Contact> {
  const {
    tenant_id,
    name,
    company = null,
    email = null,
    external_ref = null,
    phone_numbers = [],
    metadata = {},
  } = wanted;
  const id = newId('contact');
  await insertContact(tx, {
    ...{ ledger_id: scope.ledgerId, id, tenant_id, name, company, email, external_ref },
    ...{ phone_numbers, metadata: JSON.stringify(metadata) },
  });
  return (await findContact(tx, scope, id)) as Contact;
}

/** Returns a contact. Errors: contact_not_found, tenant_restricted_key. */
export async function getContact(db: Db, scope: Scope, id: string, param?: string): Promise<Contact> {
  return visible(scope, await findContact(db, scope, id), 'contact_not_found', param);
}

/** Returns the contact that a list is filtered by; null without that filter. Errors: as `getContact`. */
export async function contactFilter(db: Db, scope: Scope, id: string | undefined): Promise<Contact | null> {
  return id === undefined ? null : await getContact(db, scope, id, 'contact_id');
}

/**
 * Changes the given fields. Errors: contact_not_found, tenant_restricted_key, contact_number_taken, external_ref_taken.
 */
export async function updateContact(
  tx: Tx,
  scope: Scope,
  { id, change }: { readonly id: string; readonly change: UpdateContact },
): Promise<Contact> {
  const before = visible(scope, await lockContact(tx, scope, id), 'contact_not_found');
  const { object: _, created_at: __, updated_at: ___, ...after } = { ...before, ...change };
  await replaceContact(tx, { ...after, ledger_id: scope.ledgerId, metadata: JSON.stringify(after.metadata) });
  return (await findContact(tx, scope, id)) as Contact;
}

/** Deletes a contact. Errors: contact_not_found, tenant_restricted_key. */
export async function deleteContact(tx: Tx, scope: Scope, id: string): Promise<void> {
  visible(scope, await lockContact(tx, scope, id), 'contact_not_found');
  await deleteContactRow(tx, scope, id);
}

/** Deletes the contacts of a tenant that is being deleted. */
export const deleteTenantContacts: TeardownStep = (tx, scope, tenantId) => deleteContactsOfTenant(tx, scope, tenantId);
