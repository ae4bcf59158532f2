import type { Tx } from '../../db/database.ts';
import type { RoutePlugin } from '../../http/edge/types.ts';
import { Closed, Id, Nullable, Text } from '../../http/schemas/schemas.ts';
import { write } from '../../http/writes/write.ts';
import type { Scope } from '../../lib/scope.ts';
import { type TSchema, Type } from '../../lib/type.ts';
import { PORT_OUT_STATUSES, type PortOutStatus } from '../ports/numbers.ts';

/** The functions that this route needs from the domain. */
export type PortOutDomain = {
  /** The API's schema of a number. */
  readonly PhoneNumber: TSchema;
  /** Records a report about the move of a number to another carrier. */
  simulatePortOut(
    tx: Tx,
    scope: Scope,
    id: string,
    play: { readonly status: PortOutStatus; readonly carrierName: string | null; readonly reason: string | null },
  ): Promise<object>;
};

const TEXT_CHARS_MAX = 200;
const PortOut = Closed({
  status: Type.Enum([...PORT_OUT_STATUSES]),
  carrier_name: Type.Optional(Nullable(Text({ maxLength: TEXT_CHARS_MAX }))),
  reason: Type.Optional(Nullable(Text({ maxLength: TEXT_CHARS_MAX }))),
});

/** The route that plays another carrier, which requests a number. */
export function createPortOutSimulation({ PhoneNumber, simulatePortOut }: PortOutDomain): RoutePlugin {
  const schema = {
    tags: ['Test mode'],
    summary: 'Let another carrier ask for a number',
    params: Type.Object({ number_id: Id }),
    body: PortOut,
    response: { 200: PhoneNumber },
  };
  return (api, context) => {
    api.post('/test/phone_numbers/:number_id/port_out', { config: { testOnly: true }, schema }, (request, reply) => {
      const { scope, params, body } = request;
      const { status, carrier_name: carrierName = null, reason = null } = body;
      return write(context, { request, reply, status: 200 }, (tx) =>
        simulatePortOut(tx, scope, params.number_id, { status, carrierName, reason }),
      );
    });
  };
}
