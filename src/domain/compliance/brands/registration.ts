import type { BrandRegistration, BrandReview, RegistryPort } from '../../../carriers/ports/registry.ts';
import type { Context } from '../../../context.ts';
import type { Registration } from '../registration/registration.ts';
import { type BrandRegistrationRow, findBrandRegistration, storeBrandCarrierRef } from './queries.ts';
import { reviewBrand } from './review-brand.ts';
import { einContext } from './rules.ts';
import type { Brand } from './schema.ts';

/** Returns how brands are registered. */
export function createBrandRegistration({ cipher }: Pick<Context, 'cipher'>): Registration<BrandReview> {
  return {
    kind: 'brand.registration',
    load: async (db, ledger, id) => {
      const found = await findBrandRegistration(db, ledger, id);
      if (found === undefined) return undefined;
      const reply = asCreated(found.brand);
      const { status } = found.brand;
      // A brand that was reported vetted before the answer arrived still lacks the registry's reference.
      const isOpen = status === 'pending_vetting' || (status === 'vetted' && found.carrierRef === null);
      if (!isOpen) return { reply, open: null };
      const { sealedEin } = found;
      const ein = sealedEin && cipher.decrypt(sealedEin, einContext(ledger.ledgerId, id)).toString('utf8');
      const create = (registry: RegistryPort) => registry.createBrand(ledger, toRegistration(found, ein));
      return { reply, open: { connectionId: found.connectionId, create } };
    },
    find: (registry, ledger, id) => registry.findBrand(ledger, id),
    accept: (tx, ledger, id, carrierRef) => storeBrandCarrierRef(tx, ledger, id, carrierRef),
    refuse: async (tx, ledger, id, reason) => {
      await reviewBrand(tx, ledger, id, { status: 'rejected', reason });
    },
    review: reviewBrand,
  };
}

/** Returns the brand as it was created, for the reply to its creation. */
function asCreated(brand: Brand): Brand {
  return { ...brand, status: 'pending_vetting', rejection_reason: null };
}

function toRegistration({ brand }: BrandRegistrationRow, ein: string | null): BrandRegistration {
  return {
    ref: brand.id,
    legalName: brand.legal_name,
    dba: brand.dba,
    ein,
    entityType: brand.entity_type,
    website: brand.website,
    contactEmail: brand.contact_email,
    phone: brand.phone,
    street: brand.street,
    city: brand.city,
    state: brand.state,
    postalCode: brand.postal_code,
  };
}
