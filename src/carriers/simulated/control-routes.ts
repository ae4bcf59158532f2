import { ledgerNow } from '../../db/ledgers.ts';
import type { RoutePlugin } from '../../http/edge/types.ts';
import { Closed, ListOf, Nullable, Timestamp } from '../../http/schemas/schemas.ts';
import { write } from '../../http/writes/write.ts';
import { ApiError } from '../../lib/errors/errors.ts';
import { Type } from '../../lib/type.ts';
import { ADVANCE_MAX_MS } from '../../test-clock/ledger-clock.ts';
import type { LedgerControls } from '../adapter.ts';
import { FAULT_DELAY_S, FAULT_KINDS, FAULT_TIMES, listFaults, setFault } from './fault-queries.ts';

const tags = ['Test mode'];
const config = { testOnly: true, access: 'account' } as const;
const ADVANCE_SECONDS_MAX = ADVANCE_MAX_MS / 1_000;

const ClockState = Type.Object({ object: Type.Literal('test_clock'), now: Timestamp });
const Fault = Type.Object({
  object: Type.Literal('test_fault'),
  kind: Type.Enum(FAULT_KINDS),
  times: Type.Union([Type.Integer(), Type.Null()]),
  delay_seconds: Type.Union([Type.Number(), Type.Null()]),
});
const Faults = ListOf(Fault, FAULT_KINDS.length);
const SetFault = Closed({
  kind: Type.Enum(FAULT_KINDS),
  times: Type.Optional(
    Nullable(
      Type.Integer({
        minimum: 0,
        maximum: 1_000_000,
        description: 'Without it: once for assign_failed, else until set to 0, or reset',
      }),
    ),
  ),
  delay_seconds: Type.Optional(
    Nullable(Type.Number({ minimum: 0, maximum: 86_400, description: 'Of `delay` only; 5 without it' })),
  ),
});

/** The routes that control a whole test ledger: its clock, its faults, and its reset. */
export function createControlSimulation({ advance, reset }: LedgerControls): RoutePlugin {
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
      async (request, reply) =>
        write(
          context,
          { request, reply, status: 200 },
          {
            outside: async () => {
              const now = await advance(request.scope.ledgerId, Math.round(request.body.advance_seconds * 1000));
              return { object: 'test_clock' as const, now };
            },
            keepsSlot: true,
          },
        ),
    );

    api.get(
      '/test/faults',
      { config, schema: { tags, summary: 'Faults that are in force', response: { 200: Faults } } },
      async ({ scope }) => {
        const faults = await listFaults(db, scope.ledgerId);
        return { data: faults.map((fault) => ({ object: 'test_fault' as const, ...fault })) };
      },
    );

    api.post(
      '/test/faults',
      { config, schema: { tags, summary: 'Make the carrier misbehave', body: SetFault, response: { 200: Fault } } },
      async (request, reply) =>
        write(context, { request, reply, status: 200 }, async (tx) => {
          const { kind, delay_seconds: given = null } = request.body;
          const { times = FAULT_TIMES[kind] ?? null } = request.body;
          if (given !== null && kind !== 'delay') throw delayMisplaced(kind);
          const delay_seconds = kind === 'delay' ? (given ?? FAULT_DELAY_S) : null;
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
      // The reset deletes the row of the Idempotency-Key too, so it runs outside the transaction that stores the key.
      async (request, reply) =>
        write(
          context,
          { request, reply, status: 200 },
          {
            outside: async () => ({ object: 'test_reset' as const, now: await reset(request.scope) }),
            keepsSlot: true,
          },
        ),
    );
  };
}

function delayMisplaced(kind: string): ApiError {
  return new ApiError('invalid_body', { param: 'delay_seconds', message: `"delay_seconds" means nothing to ${kind}.` });
}
