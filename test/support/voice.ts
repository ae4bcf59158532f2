/**
 * Calls without a network, on a carrier that only stores commands. It reports the events that a test passes to it. It
 * also reports the answer of callers, unless the test turns that off.
 */
import assert from 'node:assert/strict';
import type { CarrierEvent, Carriers } from '../../src/carriers/ports/carrier.ts';
import type { Found, Outcome } from '../../src/carriers/ports/outcome.ts';
import type { VoiceCommand, VoiceInstruction, VoicePort, VoiceRefusal } from '../../src/carriers/ports/voice.ts';
import { findLedger } from '../../src/db/ledgers.ts';
import { applyVoiceEvents } from '../../src/domain/voice/index.ts';
import { newId } from '../../src/lib/ids.ts';
import type { Ledger } from '../../src/lib/scope.ts';
import { type Json, testLedger } from './events.ts';
import { type Harness, useHarness } from './harness.ts';
import { sql } from './jobs.ts';
import { newPerson, read } from './messages.ts';
import { makeLine } from './numbers.ts';

type Answer = Outcome<object, VoiceRefusal>;

export type ScriptedVoice = {
  readonly port: VoicePort;
  /** All dispatched commands, including repeats. */
  readonly commands: VoiceCommand[];
  /** Answers a command; by default with `accepted`. */
  answer: (command: VoiceCommand) => Answer | Promise<Answer>;
  /** Whether the carrier reports an answer after it has accepted an `answer` command. The default is true. */
  reportsAnswers: boolean;
  /** Looks up a command whose answer was lost. */
  find: (command: VoiceCommand) => Found<object>;
  /** Returns the instructions of a call in the order of their dispatch. */
  instructions(callId: string): VoiceInstruction[];
  /** Reports events, in one transaction. */
  report(...events: CarrierEvent[]): Promise<void>;
};

/** Replaces the carrier of the test ledgers by a scripted one. */
export async function scriptVoice(harness: Harness): Promise<ScriptedVoice> {
  const { context } = harness;
  const commands: VoiceCommand[] = [];
  const ledgerId = await testLedger(harness);
  const script: ScriptedVoice = {
    commands,
    answer: () => ({ outcome: 'accepted' }),
    reportsAnswers: true,
    find: () => ({ found: 'accepted' }),
    port: {
      limits: { ringMsMax: 30_000, callMsMax: 4 * 3_600_000 },
      dispatch: async (_ledger, command) => {
        commands.push(command);
        const answer = await script.answer(command);
        const { callRef, instruction } = command;
        if (instruction.do === 'answer' && answer.outcome === 'accepted' && script.reportsAnswers) {
          await script.report({ type: 'leg.answered', callRef, legRef: instruction.legRef });
        }
        return answer;
      },
      findCommand: async (_ledger, command) => script.find(command),
      findLegs: async () => ({ found: 'undecided' }),
      findRecording: async () => ({ found: 'undecided' }),
      fetchRecording: async () => undefined,
      fetchUtterance: async () => undefined,
    },
    instructions: (callId) =>
      commands.filter(({ callRef }) => callRef === callId).map(({ instruction }) => instruction),
    report: (...events) => report(harness, ledgerId, events),
  };
  const carriers = context.carriers as { voice: Carriers['voice'] };
  const { voice } = carriers;
  carriers.voice = (of, connection) => (of.mode === 'test' ? script.port : voice(of, connection));
  return script;
}

/** Reports events of a ledger's carrier, in one transaction. */
export async function report(
  { context }: Pick<Harness, 'context'>,
  ledgerId: number,
  events: readonly CarrierEvent[],
): Promise<void> {
  const ledger = (await findLedger(context.db, ledgerId)) as Ledger;
  await context.db.transaction((tx) => applyVoiceEvents(context)(tx, ledger, events));
}

/**
 * Starts a product with a scripted carrier for test ledgers, a tenant, and a number that can call. For the tests of the
 * file.
 */
export async function useScriptedLine() {
  const harness = await useHarness({ startWorkers: false });
  const voice = await scriptVoice(harness);
  return { harness, voice, ...(await makeLine(harness)) };
}

/** Places a click-to-call between two new people. Fails unless it is accepted. */
export async function place(harness: Harness, from: string, fields: object = {}): Promise<Json> {
  const body = { from, to: newPerson(), connect_to: newPerson(), ...fields };
  const reply = await harness.call('POST', '/v1/calls', { body });
  assert.equal(reply.status, 201, JSON.stringify(reply.body));
  return reply.body;
}

/** Returns the legs of a call, from the state of its machine. */
export async function legsOf(harness: Harness, callId: string): Promise<Json[]> {
  const [row] = await sql<{ legs: Json[] }>(
    harness.context.db,
    `select state -> 'legs' as legs from calls where id = $1`,
    [callId],
  );
  return row?.legs ?? [];
}

/** Places a click-to-call and joins its parties. */
export async function connect(
  harness: Harness,
  voice: ScriptedVoice,
  from: string,
  fields: object = {},
): Promise<Json> {
  const { id } = await place(harness, from, fields);
  const answer = async (party: number) => {
    const legRef = (await legsOf(harness, id))[party].id;
    await voice.report({ type: 'leg.ringing', callRef: id, legRef }, { type: 'leg.answered', callRef: id, legRef });
  };
  await answer(0);
  await answer(1);
  const call = await read(harness, `/calls/${id}`);
  assert.equal(call.status, 'in_progress');
  return call;
}

/** Reports an inbound call. Returns its id and the caller's leg. */
export async function ring(
  voice: ScriptedVoice,
  to: string,
  from = newPerson(),
  fields: { readonly callerName?: string } = {},
): Promise<{ id: string; legRef: string; event: CarrierEvent }> {
  const id = newId('call');
  const event = { type: 'call.arrived', callRef: id, legRef: newId('call_leg'), from, to, ...fields } as const;
  await voice.report(event);
  return { id, legRef: event.legRef, event };
}
