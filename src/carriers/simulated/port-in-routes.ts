import type { Tx } from '../../db/database.ts';
import type { RoutePlugin } from '../../http/edge/types.ts';
import { Closed, Id, Nullable, Text } from '../../http/schemas/schemas.ts';
import { write } from '../../http/writes/write.ts';
import { ApiError } from '../../lib/errors/errors.ts';
import type { Scope } from '../../lib/scope.ts';
import { type TSchema, Type } from '../../lib/type.ts';
import type { PortInReport } from '../ports/porting.ts';
import { advanceStoredPortIn, reportOf } from './port-ins.ts';

const STATUSES = ['draft', 'in_review', 'action_needed', 'foc_confirmed', 'completed', 'cancelled'] as const;
type PortInStatus = (typeof STATUSES)[number];

/** A port-in at the moment of its next report. `now` is ledger time. */
type Reportable = {
  readonly portIn: { readonly id: string; readonly phone_numbers: readonly string[] };
  readonly attempt: number;
  readonly now: Date;
};

/** The functions that this route needs from the domain. */
export type PortInDomain = {
  /** The API's schema of a port-in. */
  readonly PortIn: TSchema;
  /** Applies the report that `makeReport` returns to a port-in, if the carrier may move it to status `to`. */
  simulatePortInReport(
    tx: Tx,
    scope: Scope,
    id: string,
    play: { to: PortInStatus; makeReport(reportable: Reportable): Promise<PortInReport> },
  ): Promise<object>;
};

const AdvancePortIn = Closed({
  status: Type.Enum([...STATUSES]),
  status_detail: Type.Optional(Nullable(Text({ maxLength: 500 }))),
});

/** A confirmation by a test names a FOC date this many milliseconds later. */
const FOC_IN_MS = 5_000;

/** The route that acts as the losing carrier of a port-in. */
export function createPortInSimulation({ PortIn, simulatePortInReport }: PortInDomain): RoutePlugin {
  const schema = {
    tags: ['Test mode'],
    summary: 'Let the losing carrier take the next step of a port-in',
    params: Type.Object({ port_in_id: Id }),
    body: AdvancePortIn,
    response: { 200: PortIn },
  };
  return (api, context) => {
    api.post('/test/port_ins/:port_in_id/advance', { config: { testOnly: true }, schema }, async (request, reply) => {
      const { scope, params, body } = request;
      const { status, status_detail: detail = null } = body;
      return await write(context, { request, reply, status: 200 }, (tx) =>
        simulatePortInReport(tx, scope, params.port_in_id, {
          to: status,
          makeReport: async ({ portIn, attempt, now }) => {
            // This never happens: only the customer moves a port-in to these statuses, so the domain has refused them
            // before.
            if (status === 'draft' || status === 'in_review') throw new ApiError('review_not_pending');
            const { id: ref, phone_numbers } = portIn;
            const step = { portIn: { ref, phoneNumbers: phone_numbers }, attempt, status };
            if (!(await advanceStoredPortIn(tx, scope.ledgerId, step))) throw new ApiError('number_unavailable');
            return await reportOf(
              { ref, phone_numbers, foc_date: new Date(now.getTime() + FOC_IN_MS) },
              status,
              detail,
            );
          },
        }),
      );
    });
  };
}
