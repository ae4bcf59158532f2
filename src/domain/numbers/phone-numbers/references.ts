import type { Db } from '../../../db/database.ts';
import { ApiError } from '../../../lib/errors/errors.ts';
import type { Ledger } from '../../../lib/scope.ts';

const REFERENCE_CODES = {
  routing_config_id: 'routing_config_not_found',
  campaign_id: 'campaign_not_found',
  e911_address_id: 'e911_address_not_found',
} as const;

/** Fields of a number that name a resource of another slice. */
type ReferenceField = keyof typeof REFERENCE_CODES;
const REFERENCE_FIELDS = Object.keys(REFERENCE_CODES) as ReferenceField[];

/** Finds the resource of a reference, if the ledger has it and references to it are allowed. */
export type FindReferenced = (db: Db, ledger: Ledger, id: string) => Promise<{ tenant_id: string } | undefined>;

/** The finder of each field. Without a finder, no id in that field is found. */
export type NumberReferences = Readonly<Partial<Record<ReferenceField, FindReferenced>>>;

/** The references of a number. A reference that is null or absent is not checked. */
type WantedReferences = { readonly tenantId: string } & Readonly<
  Partial<Record<ReferenceField, string | null | undefined>>
>;

/**
 * Checks the references that are given and not null: each must be of the number's own tenant.
 * Errors: routing_config_not_found, campaign_not_found, e911_address_not_found.
 */
export async function checkReferences(
  db: Db,
  ledger: Ledger,
  finders: NumberReferences,
  wanted: WantedReferences,
): Promise<void> {
  const missing = await findMissing(db, ledger, finders, wanted);
  if (missing !== null) throw missing;
}

/** Like `checkReferences`, but returns the error, or null. */
export async function findMissing(
  db: Db,
  ledger: Ledger,
  finders: NumberReferences,
  wanted: WantedReferences,
): Promise<ApiError | null> {
  for (const field of REFERENCE_FIELDS) {
    const id = wanted[field];
    if (id === undefined || id === null) continue;
    const found = await finders[field]?.(db, ledger, id);
    if (found?.tenant_id !== wanted.tenantId) return new ApiError(REFERENCE_CODES[field], { param: field });
  }
  return null;
}
