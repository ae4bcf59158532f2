/** The data of numbers and port-ins in events, by the names in the event catalogue's entries. */
import { PORT_OUT_STATUSES } from '../../carriers/ports/numbers.ts';
import { Type } from '../../lib/type.ts';
import { NUMBER_STATUSES } from './phone-numbers/rules.ts';
import { PhoneNumber } from './phone-numbers/schema.ts';
import { PORT_IN_STATUSES } from './port-ins/rules.ts';
import { PortIn } from './port-ins/schema.ts';

export const numberEventData = {
  phone_number: Type.Object({ ...PhoneNumber.properties, previous_status: Type.Enum([...NUMBER_STATUSES]) }),
  leaving_number: Type.Object({
    ...PhoneNumber.properties,
    port_out: Type.Object({
      status: Type.Enum([...PORT_OUT_STATUSES]),
      carrier_name: Type.Union([Type.String(), Type.Null()], { description: 'Where the number moves to' }),
      reason: Type.Union([Type.String(), Type.Null()], { description: 'Why it is rejected' }),
    }),
  }),
  port_in: Type.Object({ ...PortIn.properties, previous_status: Type.Enum([...PORT_IN_STATUSES]) }),
};
