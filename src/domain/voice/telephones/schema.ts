import { Closed, NullableTimestamp, PageQuery, TenantQuery } from '../../../http/schemas/schemas.ts';
import { EXTENSIONS_MAX } from '../../../lib/phone/agent-address.ts';
import { type Static, Type } from '../../../lib/type.ts';

const REGISTRATIONS = ['registered', 'not_registered', 'unknown'] as const;

export const SipPhone = Type.Object({
  id: Type.String({ description: 'Its address, for ring targets, agents of queues and `connect_to`: sip_phone:front' }),
  object: Type.Literal('sip_phone'),
  tenant_id: Type.String(),
  name: Type.String(),
  phone_number: Type.String({ description: 'The number that it calls from' }),
  extensions: Type.Array(
    Type.Object({
      digits: Type.String({ description: 'What is dialled' }),
      to: Type.String({ description: 'Another telephone of the tenant, or a number' }),
    }),
    { maxItems: EXTENSIONS_MAX },
  ),
  registration: Type.Enum([...REGISTRATIONS], {
    description:
      'registered: at one engine at least. not_registered: at no engine. unknown: at no engine that answers, and ' +
      'another engine does not answer. Updated every 10 seconds',
  }),
  registered_since: Type.Unsafe<Date | null>({
    ...NullableTimestamp,
    description: 'When it was first seen as registered; null unless it is registered',
  }),
});
export type SipPhone = Static<typeof SipPhone>;

export const SipPhoneList = Closed({ ...PageQuery, ...TenantQuery });
