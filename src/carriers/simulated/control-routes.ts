import { Type } from 'typebox';
import { emptyLedger } from '../../db/ledger-tables.ts';
import { ledgerNow } from '../../db/ledgers.ts';
import { write } from '../../http/idempotency.ts';
import { Closed, Timestamp } from '../../http/schemas.ts';
import type { RoutePlugin } from '../../http/types.ts';
import { FAULT_KINDS, setFault } from './fault-queries.ts';

const tags = ['Test mode'];
const config = { testOnly: true, access: 'account' } as const;
const ADVANCE_SECONDS_MAX = 400 * 86_400;

const ClockState = Type.Object({ object: Type.Literal('test_clock'), now: Timestamp });
const Fault = Type.Object({
  object: Type.Literal('test_fault'),
  kind: Type.Enum(FAULT_KINDS),
  times: Type.Union([Type.Integer(), Type.Null()]),
  delay_seconds: Type.Union([Type.Number(), Type.Null()]),
});
const SetFault = Closed({
  kind: Type.Enum(FAULT_KINDS),
  times: Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000_000 })),
  delay_seconds: Type.Optional(Type.Number({ minimum: 0, maximum: 86_400 })),
});

/** Moves a ledger's clock forward; resolves with its new time once all that fell due has run. */
export type AdvanceClock = (ledgerId: number, advanceMs: number) => Promise<Date>;

/** The controls of the simulation as a whole: its clock, its faults and starting over. */
export function createControlSimulation(advance: AdvanceClock): RoutePlugin {
  return (api, context) => {
    const { db } = context;
    api.get(
      '/test/clock',
      { config, schema: { tags, summary: 'The time of the test ledger', response: { 200: ClockState } } },
      async ({ scope }) => ({ object: 'test_clock' as const, now: await ledgerNow(db, scope.ledgerId) }),
    );

    api.post(
      '/test/clock',
      {
        config,
        schema: {
          tags,
          summary: 'Move the clock of the test ledger forward',
          body: Closed({ advance_seconds: Type.Number({ minimum: 0, maximum: ADVANCE_SECONDS_MAX }) }),
          response: { 200: ClockState },
        },
      },
      async ({ scope, body }) => {
        const now = await advance(scope.ledgerId, Math.round(body.advance_seconds * 1000));
        return { object: 'test_clock' as const, now };
      },
    );

    api.post(
      '/test/faults',
      { config, schema: { tags, summary: 'Make the carrier misbehave', body: SetFault, response: { 200: Fault } } },
      async (request, reply) =>
        write(context, { request, reply, status: 200 }, async (tx) => {
          const { kind, times = null, delay_seconds = null } = request.body;
          await setFault(tx, request.scope.ledgerId, { kind, times, delay_seconds });
          return { object: 'test_fault' as const, kind, times, delay_seconds };
        }),
    );

    api.post(
      '/test/reset',
      {
        config,
        schema: {
          tags,
          summary: 'Empty the test ledger',
          response: { 200: Type.Object({ object: Type.Literal('test_reset'), now: Timestamp }) },
        },
      },
      async ({ scope }) => {
        await db.transaction((tx) => emptyLedger(tx, scope.ledgerId));
        return { object: 'test_reset' as const, now: await ledgerNow(db, scope.ledgerId) };
      },
    );
  };
}
