import { ANY_NUMBER, US_NUMBER, US_POSTAL_CODE, US_STATE } from '../../../http/schemas/forms.ts';
import {
  Closed,
  Id,
  Nullable,
  NullableTimestamp,
  PageQuery,
  TenantQuery,
  Text,
  Timestamp,
} from '../../../http/schemas/schemas.ts';
import { type Static, Type } from '../../../lib/type.ts';
import { NUMBERS_MAX, PORT_IN_STATUSES, type PortInStatus } from './rules.ts';

const ServiceAddress = Closed(
  {
    street: Text({ maxLength: 200 }),
    city: Text({ maxLength: 100 }),
    state: Type.String(US_STATE),
    postal_code: Type.String(US_POSTAL_CODE),
  },
  { errorCode: 'invalid_service_address', description: 'Address in the records of the losing carrier' },
);

export const PortIn = Type.Object({
  id: Type.String(),
  object: Type.Literal('port_in'),
  tenant_id: Type.String(),
  phone_numbers: Type.Array(Type.String(), { maxItems: NUMBERS_MAX, description: 'E.164' }),
  status: Type.Enum([...PORT_IN_STATUSES]),
  status_detail: Type.Union([Type.String(), Type.Null()], { description: "The carrier's request, in words" }),
  entity_name: Type.String(),
  authorized_person: Type.String(),
  billing_phone_number: Type.String({ description: 'E.164' }),
  account_number: Type.String(),
  service_address: Type.Object({
    street: Type.String(),
    city: Type.String(),
    state: Type.String(),
    postal_code: Type.String(),
  }),
  foc_date: NullableTimestamp,
  created_at: Timestamp,
});
export type PortIn = Static<typeof PortIn>;

const LIST = { minItems: 1, maxItems: NUMBERS_MAX, uniqueItems: true, errorCode: 'invalid_phone_numbers' } as const;
const PhoneNumbers = Type.Array(Type.String(US_NUMBER), {
  ...LIST,
  description: 'US numbers, all from one losing carrier',
});

const DETAILS = {
  entity_name: Text({ maxLength: 200, description: 'Account holder in the records of the losing carrier' }),
  authorized_person: Text({ maxLength: 200 }),
  billing_phone_number: Type.String({
    ...US_NUMBER,
    errorCode: 'invalid_billing_phone_number',
    description: 'A US number in E.164',
  }),
  account_number: Text({ maxLength: 100, description: 'At the losing carrier' }),
  service_address: ServiceAddress,
};
const Pin = Nullable(Text({ maxLength: 100, description: 'Port-out PIN; kept encrypted and never returned' }));

export const CreatePortIn = Closed({
  tenant_id: Id,
  phone_numbers: PhoneNumbers,
  ...DETAILS,
  pin: Type.Optional(Pin),
});
export type CreatePortIn = Static<typeof CreatePortIn>;

export const UpdatePortIn = Closed({
  phone_numbers: Type.Optional(PhoneNumbers),
  entity_name: Type.Optional(DETAILS.entity_name),
  authorized_person: Type.Optional(DETAILS.authorized_person),
  billing_phone_number: Type.Optional(DETAILS.billing_phone_number),
  account_number: Type.Optional(DETAILS.account_number),
  service_address: Type.Optional(DETAILS.service_address),
  pin: Type.Optional(Pin),
});
export type UpdatePortIn = Static<typeof UpdatePortIn>;

export const CheckPortability = Closed({
  phone_numbers: Type.Array(Type.String(ANY_NUMBER), {
    ...LIST,
    description:
      'Numbers in E.164. Each has an answer; those of other countries than the United States cannot be ported',
  }),
});

export const Portability = Type.Object({
  phone_number: Type.String({ description: 'E.164' }),
  portable: Type.Boolean(),
  reason: Type.Union([Type.String(), Type.Null()], { description: 'Why not; null for a portable number' }),
});

export const PortInList = Closed({
  ...PageQuery,
  ...TenantQuery,
  status: Type.Optional(Type.Enum([...PORT_IN_STATUSES], { description: 'Only those with this status.' })),
});

/** Returns the event of a port-in that has left `previousStatus`. */
export function portInStatusChanged(portIn: PortIn, previousStatus: PortInStatus) {
  return {
    type: 'port_in.status_changed',
    tenantId: portIn.tenant_id,
    resourceId: portIn.id,
    data: { ...portIn, previous_status: previousStatus },
  } as const;
}
