import type { Tx } from '../../../db/database.ts';
import { attemptPart } from '../../../db/savepoint.ts';
import { ApiError } from '../../../lib/errors/errors.ts';
import type { Scope } from '../../../lib/scope.ts';
import { requireOpenTenant, storeContact } from './change-contacts.ts';
import { findOwner, lockContact, replaceContact, takeTurn } from './queries.ts';
import type { Contact, UpsertContact, UpsertContacts, UpsertResult } from './schema.ts';

/**
 * Creates contacts, or changes existing contacts of the tenant, in the given order. A contact that cannot be stored is
 * refused, and changes nothing. Errors: tenant_not_found, tenant_restricted_key.
 */
export async function upsertContacts(tx: Tx, scope: Scope, wanted: UpsertContacts): Promise<{ data: UpsertResult[] }> {
  const tenantId = await requireOpenTenant(tx, scope, wanted.tenant_id);
  await takeTurn(tx, scope, tenantId);
  const data: UpsertResult[] = [];
  for (const [index, contact] of wanted.contacts.entries()) {
    data.push({ index, ...(await upsertContact(tx, scope, { tenantId, contact, index })) });
  }
  return { data };
}

type Outcome = Omit<UpsertResult, 'index'>;
type Row = { readonly tenantId: string; readonly contact: UpsertContact; readonly index: number };

async function upsertContact(tx: Tx, scope: Scope, row: Row): Promise<Outcome> {
  const { external_ref = null, phone_numbers = [] } = row.contact;
  const place = `contacts[${row.index}]`;
  if (external_ref === null && phone_numbers.length === 0)
    return refuse(new ApiError('missing_fields'), place, NO_SIGN);
  const store = () => attemptPart(tx, () => storeOne(tx, scope, row));
  let stored = await store();
  // Another request may have created the contact at the same moment. The second try finds it.
  if (stored instanceof ApiError) stored = await store();
  return stored instanceof ApiError ? refuse(stored, place) : stored;
}

const NO_SIGN = 'A contact is found again by its external_ref or by a number: give one of them.';

async function storeOne(tx: Tx, scope: Scope, { tenantId, contact }: Row): Promise<Outcome> {
  const owner = await findOwner(tx, scope, { tenantId, ...contact });
  const before = owner === undefined ? undefined : await lockContact(tx, scope, owner);
  if (before === undefined) {
    const { id } = await storeContact(tx, scope, { ...contact, tenant_id: tenantId });
    return { result: 'created', contact_id: id, changed: [], error: null };
  }
  refuseOtherPerson(before, contact);
  const changed = Object.entries(contact).flatMap(([name, value]) =>
    isSame(before[name as keyof Contact], value) ? [] : [name],
  );
  if (changed.length > 0) {
    const { object: _, created_at: __, updated_at: ___, ...after } = { ...before, ...contact };
    await replaceContact(tx, { ...after, ledger_id: scope.ledgerId, metadata: JSON.stringify(after.metadata) });
  }
  return { result: changed.length > 0 ? 'updated' : 'unchanged', contact_id: before.id, changed, error: null };
}

/** A contact that was found by a number, and has another reference, is another person. */
function refuseOtherPerson(before: Contact, { external_ref }: UpsertContact): void {
  const isOther = external_ref !== undefined && before.external_ref !== null && before.external_ref !== external_ref;
  if (isOther) throw new ApiError('contact_number_taken', { param: 'phone_numbers' });
}

function isSame(before: unknown, after: unknown): boolean {
  return JSON.stringify(before) === JSON.stringify(after);
}

function refuse({ code, message, param }: ApiError, place: string, said: string = message): Outcome {
  const error = { code, message: said, param: param === undefined ? place : `${place}.${param}` };
  return { result: 'refused', contact_id: null, changed: [], error };
}
