/** The data of the events of numbers and port-ins, by event type. */
import { Type } from '../../lib/type.ts';
import { NUMBER_STATUSES } from './phone-numbers/rules.ts';
import { PhoneNumber } from './phone-numbers/schema.ts';
import { PORT_IN_STATUSES } from './port-ins/rules.ts';
import { PortIn } from './port-ins/schema.ts';

export const numberEventData = {
  'number.status_changed': Type.Object({ ...PhoneNumber.properties, previous_status: Type.Enum([...NUMBER_STATUSES]) }),
  'port_in.status_changed': Type.Object({ ...PortIn.properties, previous_status: Type.Enum([...PORT_IN_STATUSES]) }),
};
