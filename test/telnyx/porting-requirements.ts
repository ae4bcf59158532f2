/** The requirements of a port before it can be confirmed: two documents, and the data of the customer. */
import type { PortingOrder } from './porting-state.ts';

type Requirement = {
  readonly id: string;
  /** The field of an order's `documents`. */
  readonly field: 'loa' | 'invoice';
  readonly name: string;
  readonly description: string;
};

export const REQUIREMENTS: readonly Requirement[] = [
  {
    id: '7c8f2b9e-52a1-4c6d-9a44-0d8f5b1f0a01',
    field: 'loa',
    name: 'Letter of Authorization',
    description: 'A letter in which the customer authorizes the port, signed.',
  },
  {
    id: '7c8f2b9e-52a1-4c6d-9a44-0d8f5b1f0a02',
    field: 'invoice',
    name: 'Invoice',
    description: 'An invoice of the losing carrier that is at most 30 days old.',
  },
];

const ADMIN = ['entity_name', 'auth_person_name', 'billing_phone_number', 'account_number'] as const;
const LOCATION = ['street_address', 'locality', 'administrative_area', 'postal_code', 'country_code'] as const;

/** Returns the requirements of an order, as a list shows them. */
export function requirementsOf({ documents }: PortingOrder): readonly object[] {
  return REQUIREMENTS.map(({ id, field, name, description }) => ({
    record_type: 'porting_requirement',
    field_type: 'document',
    field_value: documents[field] ?? null,
    requirement_status: documents[field] ? 'approved' : 'requirement-info-pending',
    requirement_type: { id, name, description, type: 'document', example: '', acceptance_criteria: {} },
  }));
}

/** Returns the fields that an order lacks, by their JSON pointers. */
export function missingOf({ documents, end_user }: PortingOrder): readonly string[] {
  return [
    ...REQUIREMENTS.flatMap(({ field }) => (documents[field] ? [] : [`/documents/${field}`])),
    ...ADMIN.flatMap((name) => (end_user.admin[name] ? [] : [`/end_user/admin/${name}`])),
    ...LOCATION.flatMap((name) => (end_user.location[name] ? [] : [`/end_user/location/${name}`])),
  ];
}
