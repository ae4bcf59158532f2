import { randomUUID } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Context } from '../../../context.ts';
import type { Db, Tx } from '../../../db/database.ts';
import type { RoutePlugin } from '../../../http/edge/types.ts';
import { releaseSlot } from '../../../http/limits/admission.ts';
import { E164, FORM_CHARS_MAX, PARTY, VISIBLE } from '../../../http/schemas/forms.ts';
import { Closed, Id } from '../../../http/schemas/schemas.ts';
import { write } from '../../../http/writes/write.ts';
import { ApiError } from '../../../lib/errors/errors.ts';
import { readTraceparent } from '../../../lib/http/traceparent.ts';
import { newId } from '../../../lib/ids.ts';
import { NAME_CHARS_MAX } from '../../../lib/phone/display-name.ts';
import { type Scope, visible } from '../../../lib/scope.ts';
import { monotonicMs, sleep } from '../../../lib/time/time.ts';
import { type TSchema, Type } from '../../../lib/type.ts';
import { PARTIES } from '../../ports/voice.ts';
import type { Control, Script } from './call.ts';
import { beginInboundCall } from './call-machine.ts';
import type { CallDomain, CallParts } from './call-parts.ts';
import { parseScript, SCRIPT_CHARS_MAX, ScriptError } from './machine/script.ts';
import { MESSAGE_MS, MESSAGE_TEXT } from './machine/voicemail.ts';

const tags = ['Test mode'];
const config = { testOnly: true } as const;

const InboundCall = Closed({
  from: Type.String({
    ...PARTY,
    errorCode: 'invalid_phone',
    description: 'E.164, a short code or "anonymous"',
  }),
  to: Type.String({ ...E164, errorCode: 'invalid_phone' }),
  caller_name: Type.Optional(
    Type.String({ maxLength: NAME_CHARS_MAX, description: 'The name that the caller shows; by default none' }),
  ),
  script: Type.Optional(
    Type.String({
      maxLength: SCRIPT_CHARS_MAX,
      description: 'Steps such as: ring 3, answer, say "Hello", press 1, wait 2, hangup',
    }),
  ),
});

const params = Type.Object({ call_id: Id });
const Speaker = Type.Enum(PARTIES);

const Answer = Closed({
  target: Type.Optional(Type.String({ maxLength: 64, description: 'One of several that ring; the first by default' })),
});
const HangUp = Closed({
  party: Type.Optional(Speaker),
  target: Type.Optional(Type.String({ maxLength: 64, description: 'One of several agents; all by default' })),
});
const Keys = Closed({
  digits: Type.String({
    maxLength: FORM_CHARS_MAX,
    pattern: '^[0-9A-D*#]{1,32}$',
    form: '1 to 32 keys of 0-9 A-D * #',
  }),
  party: Type.Optional(Speaker),
});
const Speech = Closed({ speaker: Speaker, text: Type.String({ ...VISIBLE, maxLength: 1000 }) });
const Voicemail = Closed({
  seconds: Type.Optional(Type.Number({ exclusiveMinimum: 0, maximum: 120 })),
  transcript: Type.Optional(Type.String({ ...VISIBLE, maxLength: 1000 })),
});

const TakeOver = Closed({
  number: Type.String({
    ...PARTY,
    errorCode: 'invalid_phone',
    description: 'The person, by telephone number; it may be rung later',
  }),
});

type VoiceSimulationOptions = Pick<CallParts, 'executor' | 'domain' | 'speechMs'>;

/** Adds the controls of simulated calls: an arriving call, and the actions of a party. */
export function createVoiceSimulation({ executor, domain, speechMs }: VoiceSimulationOptions): RoutePlugin {
  /** The schema of a control. Its body may be left out. */
  const controlSchema = <Body extends TSchema>(summary: string, body: Body) => {
    return { config, schema: { tags, summary, params, body, response: { 200: domain.Call } } };
  };

  return (api, context) => {
    const play = createPlayer(context, { executor, domain });

    api.post(
      '/test/inbound_calls',
      { config, schema: { tags, summary: 'Let a call arrive', body: InboundCall, response: { 201: domain.Call } } },
      async (request, reply) => {
        const { scope, body } = request;
        const { from, to, caller_name: callerName } = body;
        const script = readScript(body.script);
        return await write(context, { request, reply, status: 201 }, async (tx) => {
          visible(scope, await domain.findOwnedNumber(tx, scope, to), 'phone_number_not_found', 'to');
          const callRef = newId('call');
          const legRef = newId('call_leg');
          await executor.begin(tx, scope, beginInboundCall({ callRef, legRef, from, to, callerName, script }));
          const call = await domain.findCall(tx, scope, callRef);
          if (call === undefined) throw new ApiError('phone_number_not_found', { param: 'to' });
          return call;
        });
      },
    );

    api.post(
      '/test/calls/:call_id/answer',
      controlSchema('Let a party that is rung answer', Answer),
      async (request, reply) => play(request, reply, { do: 'answer', target: request.body.target ?? null }),
    );

    api.post('/test/calls/:call_id/hangup', controlSchema('Let a party hang up', HangUp), async (request, reply) =>
      play(request, reply, { do: 'hang_up', party: request.body.party ?? 'customer', target: request.body.target }),
    );

    api.post('/test/calls/:call_id/dtmf', controlSchema('Let a party press keys', Keys), (request, reply) => {
      const { digits, party = 'customer' } = request.body;
      return play(request, reply, { do: 'press_digits', party, digits, ref: newRef() });
    });

    api.post(
      '/test/calls/:call_id/speech',
      controlSchema('Let a party say something', Speech),
      async (request, reply) => {
        const { speaker: party, text } = request.body;
        const spokenMs = await speechMs(text);
        return play(request, reply, { do: 'speak', party, text, ref: newRef() }, spokenMs);
      },
    );

    api.post(
      '/test/calls/:call_id/voicemail',
      controlSchema('Let nobody answer, and the caller leave a message', Voicemail),
      (request, reply) => {
        const { seconds = MESSAGE_MS / 1000, transcript: text = MESSAGE_TEXT } = request.body;
        return play(request, reply, { do: 'leave_message', text, durationMs: Math.round(seconds * 1000) });
      },
    );

    api.post(
      '/test/calls/:call_id/take_over',
      controlSchema('Let a person do nothing by itself', TakeOver),
      async (request, reply) => play(request, reply, { do: 'take_over', address: request.body.number }),
    );
  };
}

const TOO_MANY_SOUNDS = 'A simulated call has at most 1,000 utterances, prompts and strings of digits.';

const NO_VOICEMAIL =
  'No voicemail follows if nobody answers this call: its ring behavior has no "no_answer". Let the targets hang up, or ' +
  'advance the clock, for a missed call.';

/** Returns a name for the result of a control. */
const newRef = () => `control:${randomUUID()}`;

function readScript(script: string | undefined): Script {
  try {
    return script === undefined || script.trim() === '' ? null : parseScript(script);
  } catch (error) {
    if (!(error instanceof ScriptError)) throw error;
    throw new ApiError('invalid_body', { param: 'script', message: `script: ${error.message}.`, cause: error });
  }
}

/** Controls that let a target or a voicemail answer the caller. */
const MAY_ANSWER: ReadonlySet<Control['do']> = new Set(['answer', 'hang_up', 'leave_message']);

/**
 * Returns a function that carries out a control, with its effects, in one transaction. The key must be allowed to see
 * the call. After a control in MAY_ANSWER, the reply waits for the domain's commands, so that it shows the answer.
 */
function createPlayer(context: Context, { executor, domain }: Pick<CallParts, 'executor' | 'domain'>) {
  return async (request: unknown, reply: unknown, control: Control, spokenMs = 0) => {
    const exchange = { request: request as FastifyRequest, reply: reply as FastifyReply, status: 200 as const };
    const { scope, headers } = exchange.request;
    const { call_id: callRef } = exchange.request.params as { call_id: string };
    const read = async (db: Db) => visible(scope, await domain.findCall(db, scope, callRef), 'call_not_found');
    const play = async (tx: Tx) => {
      await read(tx);
      if (control.do === 'leave_message' && (await domain.isWithoutVoicemail(tx, scope, callRef))) {
        throw new ApiError('call_not_active', { message: NO_VOICEMAIL });
      }
      const input = { type: 'control', control, spokenMs } as const;
      const refusal = await executor.execute(tx, { ledger: scope, callRef, input });
      if (refusal === 'too_many_sounds') throw new ApiError('call_not_active', { message: TOO_MANY_SOUNDS });
      if (refusal !== undefined) throw new ApiError('call_not_active');
      return read(tx);
    };
    // While the request waits, it does not occupy a slot of its ledger.
    releaseSlot(exchange.request);
    await awaitCommands(context, domain, { scope, callRef });
    if (!MAY_ANSWER.has(control.do)) return write(context, exchange, play);
    const outside = async () => {
      const traceparent = readTraceparent(headers['traceparent']);
      const played = await context.db.transaction(play, { traceparent });
      if (played.direction !== 'inbound' || played.status !== 'ringing') return played;
      await awaitCommands(context, domain, { scope, callRef });
      return read(context.db);
    };
    return write(context, exchange, { outside });
  };
}

/** The domain dispatches commands from a lane, a moment after the request or the event that caused them. */
const DISPATCHED_WITHIN_MS = 2_000;
const LOOK_EVERY_MS = 20;

/** Waits until the carrier has the domain's commands. The wait is short, because a carrier may be unavailable. */
async function awaitCommands(
  { db }: Context,
  domain: CallDomain,
  { scope, callRef }: { scope: Scope; callRef: string },
): Promise<void> {
  const until = monotonicMs() + DISPATCHED_WITHIN_MS;
  while ((await domain.hasWaitingCommands(db, scope, callRef)) && monotonicMs() < until) await sleep(LOOK_EVERY_MS);
}
