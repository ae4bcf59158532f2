import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type TSchema, Type } from 'typebox';
import { durationMsOf } from '../../../audio/pcm.ts';
import type { Context } from '../../../context.ts';
import type { Tx } from '../../../db/database.ts';
import { findOwnedNumber } from '../../../domain/numbers/index.ts';
import { applyVoiceEvents, Call, findCall, hasWaitingCommands } from '../../../domain/voice/index.ts';
import type { RoutePlugin } from '../../../http/edge/types.ts';
import { releaseSlot } from '../../../http/limits/admission.ts';
import { E164, PARTY, VISIBLE } from '../../../http/schemas/forms.ts';
import { Closed, Id } from '../../../http/schemas/schemas.ts';
import { write } from '../../../http/writes/write.ts';
import { ApiError } from '../../../lib/errors.ts';
import { newId } from '../../../lib/ids.ts';
import { type Scope, visible } from '../../../lib/scope.ts';
import type { Synthesizer } from '../../../speech/speech-synthesis.ts';
import { PARTIES, type VoiceEvent } from '../../ports/voice.ts';
import { hangUpByHand, leaveVoicemail, pickUpByHand, pressByHand, speakByHand } from './controls.ts';
import { MESSAGE_MS, MESSAGE_TEXT } from './message.ts';
import type { OnCall } from './parties.ts';
import { insertLeg, lockCall, openCall, planActs } from './queries.ts';
import { parseScript, SCRIPT_CHARS_MAX, ScriptError, type ScriptStep } from './script.ts';
import { beginScript } from './script-play.ts';
import { settleCall } from './settle-call.ts';

const tags = ['Test mode'];
const config = { testOnly: true } as const;

const InboundCall = Closed({
  from: Type.String({
    ...PARTY,
    errorCode: 'invalid_phone',
    description: 'E.164, a short code or "anonymous"',
  }),
  to: Type.String({ ...E164, errorCode: 'invalid_phone' }),
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
const HangUp = Closed({ party: Type.Optional(Speaker) });
const Keys = Closed({
  digits: Type.String({ pattern: '^[0-9A-D*#]{1,32}$', form: '1 to 32 keys of 0-9 A-D * #' }),
  party: Type.Optional(Speaker),
});
const Speech = Closed({ speaker: Speaker, text: Type.String({ ...VISIBLE, maxLength: 1000 }) });
const Voicemail = Closed({
  seconds: Type.Optional(Type.Number({ exclusiveMinimum: 0, maximum: 120 })),
  transcript: Type.Optional(Type.String({ ...VISIBLE, maxLength: 1000 })),
});

/** Schema of a control: its body may be left out. */
function controlSchema<Body extends TSchema>(summary: string, body: Body) {
  return { config, schema: { tags, summary, params, body, response: { 200: Call } } };
}

/** Plays the parties of calls: calls that arrive, and what a person on one does. */
export function createVoiceSimulation(synthesizer: Synthesizer): RoutePlugin {
  const speechMs = async (text: string) => durationMsOf(await synthesizer.synthesize(text));

  return (api, context) => {
    api.post(
      '/test/inbound_calls',
      { config, schema: { tags, summary: 'Let a call arrive', body: InboundCall, response: { 201: Call } } },
      async (request, reply) => {
        const { scope, body } = request;
        const script = readScript(body.script);
        return write(context, { request, reply, status: 201 }, async (tx) => {
          visible(scope, await findOwnedNumber(tx, scope, body.to), 'phone_number_not_found');
          const callRef = await arrive(context, tx, scope, { from: body.from, to: body.to, script });
          const call = await findCall(tx, scope, callRef);
          if (call === undefined) throw new ApiError('phone_number_not_found', { param: 'to' });
          return call;
        });
      },
    );

    api.post(
      '/test/calls/:call_id/answer',
      controlSchema('Let a party that is rung answer', Answer),
      async (request, reply) => play(context, request, reply, (on) => pickUpByHand(on, request.body.target ?? null)),
    );

    api.post('/test/calls/:call_id/hangup', controlSchema('Let a party hang up', HangUp), async (request, reply) =>
      play(context, request, reply, (on) => hangUpByHand(on, request.body.party ?? 'customer')),
    );

    api.post('/test/calls/:call_id/dtmf', controlSchema('Let a party press keys', Keys), async (request, reply) => {
      const { digits, party = 'customer' } = request.body;
      return play(context, request, reply, (on) => pressByHand(on, party, digits));
    });

    api.post(
      '/test/calls/:call_id/speech',
      controlSchema('Let a party say something', Speech),
      async (request, reply) => {
        const { speaker, text } = request.body;
        const durationMs = await speechMs(text);
        return play(context, request, reply, (on) => speakByHand(on, speaker, { text, durationMs }));
      },
    );

    api.post(
      '/test/calls/:call_id/voicemail',
      controlSchema('Let nobody answer, and the caller leave a message', Voicemail),
      async (request, reply) => {
        const { seconds = MESSAGE_MS / 1000, transcript } = request.body;
        return play(context, request, reply, (on) =>
          leaveVoicemail(on, { text: transcript ?? MESSAGE_TEXT, durationMs: Math.round(seconds * 1000) }),
        );
      },
    );
  };
}

function readScript(script: string | undefined): ScriptStep[] | null {
  try {
    return script === undefined || script.trim() === '' ? null : parseScript(script);
  } catch (error) {
    if (!(error instanceof ScriptError)) throw error;
    throw new ApiError('invalid_body', { param: 'script', message: `script: ${error.message}.`, cause: error });
  }
}

async function arrive(
  context: Context,
  tx: Tx,
  scope: Scope,
  { from, to, script }: { from: string; to: string; script: ScriptStep[] | null },
): Promise<string> {
  const callRef = newId('call');
  const legRef = newId('call_leg');
  const { ledgerId } = scope;
  await openCall(tx, ledgerId, callRef, script);
  await insertLeg(tx, ledgerId, {
    leg_ref: legRef,
    call_ref: callRef,
    party: 'customer',
    address: from,
    dialled: false,
    state: 'ringing',
  });
  await applyVoiceEvents(context)(tx, scope, [{ type: 'call.arrived', callRef, legRef, from, to }]);
  if (script !== null) await planActs(tx, ledgerId, callRef, [beginScript()]);
  return callRef;
}

type Control = FastifyRequest<{ Params: { call_id: string } }>;

/** Plays a person's doing on a call that the key may see, and what comes of it, in one transaction. */
async function play(
  context: Context,
  request: unknown,
  reply: unknown,
  act: (on: OnCall) => Promise<readonly VoiceEvent[] | undefined>,
): Promise<Call> {
  const { scope, params } = request as Control;
  const answer = { request: request as FastifyRequest, reply: reply as FastifyReply, status: 200 as const };
  // Waiting, it holds no place of its ledger.
  releaseSlot(answer.request);
  await awaitCommands(context, scope, params.call_id);
  return write(context, answer, async (tx) => {
    const { ledgerId } = scope;
    visible(scope, await findCall(tx, scope, params.call_id), 'call_not_found');
    const call = await lockCall(tx, ledgerId, params.call_id);
    const on = call && { tx, ledgerId, call };
    const events = on && (await act(on));
    if (on === undefined || events === undefined) throw new ApiError('call_not_active');
    await settleCall(on, scope, { takeEvents: applyVoiceEvents(context), events });
    return visible(scope, await findCall(tx, scope, params.call_id), 'call_not_found');
  });
}

/** The parties are told what the call has come to from its lane, a moment after the request or report that changed it. */
const TOLD_WITHIN_MS = 2_000;
const LOOK_EVERY_MS = 20;

/** Waits until the parties know what the domain knows; not long, for a carrier may be unable to tell them. */
async function awaitCommands({ db }: Context, scope: Scope, callRef: string): Promise<void> {
  const until = performance.now() + TOLD_WITHIN_MS;
  while ((await hasWaitingCommands(db, scope, callRef)) && performance.now() < until) await sleep(LOOK_EVERY_MS);
}
