import { Type } from 'typebox';
import { PortIn, playPortInReport } from '../../domain/numbers/index.ts';
import type { RoutePlugin } from '../../http/edge/types.ts';
import { Closed, Id, Nullable, Text } from '../../http/schemas/schemas.ts';
import { write } from '../../http/writes/write.ts';
import { ApiError } from '../../lib/errors.ts';
import { playStep, reportOf } from './port-ins.ts';

const AdvancePortIn = Closed({
  status: Type.Enum(['draft', 'in_review', 'action_needed', 'foc_confirmed', 'completed', 'cancelled']),
  status_detail: Type.Optional(Nullable(Text({ maxLength: 500 }))),
});

const schema = {
  tags: ['Test mode'],
  summary: 'Let the losing carrier take the next step of a port-in',
  params: Type.Object({ port_in_id: Id }),
  body: AdvancePortIn,
  response: { 200: PortIn },
};

/** Milliseconds from a confirmation by hand to the date that it names. */
const FOC_IN_MS = 5_000;

/** Plays the losing carrier of a port-in. */
export function createPortInSimulation(): RoutePlugin {
  return (api, context) => {
    api.post('/test/port_ins/:port_in_id/advance', { config: { testOnly: true }, schema }, async (request, reply) => {
      const { scope, params, body } = request;
      const { status, status_detail: detail = null } = body;
      return write(context, { request, reply, status: 200 }, (tx) =>
        playPortInReport(tx, scope, params.port_in_id, {
          to: status,
          makeReport: async ({ portIn, attempt, now }) => {
            // Those are the customer's moves: the machine has refused them by now.
            if (status === 'draft' || status === 'in_review') throw new ApiError('review_not_pending');
            const { id: ref, phone_numbers } = portIn;
            const step = { portIn: { ref, phoneNumbers: phone_numbers }, attempt, status };
            if (!(await playStep(tx, scope.ledgerId, step))) throw new ApiError('number_unavailable');
            return reportOf({ ref, phone_numbers, foc_date: new Date(now.getTime() + FOC_IN_MS) }, status, detail);
          },
        }),
      );
    });
  };
}
