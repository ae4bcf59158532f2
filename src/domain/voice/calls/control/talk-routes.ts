import type { Context } from '../../../../context.ts';
import type { Api, RoutePlugin } from '../../../../http/edge/types.ts';
import { Id } from '../../../../http/schemas/schemas.ts';
import { write } from '../../../../http/writes/write.ts';
import { newId } from '../../../../lib/ids.ts';
import { Type } from '../../../../lib/type.ts';
import type { Speech } from '../../../../speech/port.ts';
import { findRouting } from '../../../numbers/index.ts';
import { findCall } from '../queries.ts';
import { speakingPhases } from '../request-speech.ts';
import { Call } from '../schema.ts';
import { controlCall, getCall } from './control-call.ts';
import { recordingControlRoute } from './control-recording.ts';
import { Speak, SpeechQueued, SpeechStopped, StartTransfer } from './talk-schema.ts';
import { checkNewAgent, transferCall } from './transfer-call.ts';

const params = Type.Object({ call_id: Id });
const tags = ['Calls'];

const speakSchema = { tags, summary: 'Speak a text into a call', params, body: Speak, response: { 201: SpeechQueued } };
const stopSchema = { tags, summary: 'Stop speaking, and empty the queue', params, response: { 200: SpeechStopped } };
const transferSchema = {
  tags,
  summary: 'Transfer the customer to another agent or the voicemail',
  params,
  body: StartTransfer,
  response: { 202: Call },
};
const completeSchema = { tags, summary: 'Complete a consult transfer', params, response: { 200: Call } };
const cancelSchema = { tags, summary: 'Cancel a consult transfer', params, response: { 200: Call } };
const holdSchema = { tags, summary: 'Put the customer on hold', params, response: { 200: Call } };
const resumeSchema = { tags, summary: 'Take the customer off hold', params, response: { 200: Call } };

/** Returns the routes of calls whose parties are connected: speak, transfer, hold, record. */
export function talkRoutes(speech: Pick<Speech, 'voice'>): RoutePlugin {
  return (api, context) => {
    speakRoutes(api, context, speech);
    transferRoutes(api, context, speech);
    consultRoutes(api, context);
    holdRoutes(api, context);
    recordingControlRoute(api, context, speech);
  };
}

function speakRoutes(api: Api, context: Context, speech: Pick<Speech, 'voice'>): void {
  api.post('/calls/:call_id/speak', { schema: speakSchema }, async (request, reply) => {
    const { scope, params, body } = request;
    const { text, to = 'customer' } = body;
    const phases = speakingPhases(speech, scope, {
      text,
      isNeeded: async () => (await findCall(context.db, scope, params.call_id))?.status === 'in_progress',
      commit: async (tx, requireSpeech) => {
        const id = newId('speech');
        await controlCall(tx, scope, params.call_id, { type: 'speak', speech: { id, text, to } });
        requireSpeech();
        return { call_id: params.call_id, speech_id: id, status: 'speaking' as const };
      },
    });
    return await write(context, { request, reply, status: 201 }, phases);
  });

  api.post('/calls/:call_id/speak/stop', { schema: stopSchema }, async (request, reply) => {
    const { scope, params } = request;
    return await write(context, { request, reply, status: 200 }, async (tx) => {
      await controlCall(tx, scope, params.call_id, { type: 'stop_speaking' });
      return { call_id: params.call_id, status: 'stopped' as const };
    });
  });
}

function transferRoutes(api: Api, context: Context, speech: Pick<Speech, 'voice'>): void {
  const preHandler = async ({ body }: { body: StartTransfer }) => checkNewAgent(body);
  api.post('/calls/:call_id/transfer', { schema: transferSchema, preHandler }, async (request, reply) => {
    const { scope, params, body } = request;
    const phases = speakingPhases(speech, scope, {
      text: body.announce_text ?? '',
      isNeeded: async () =>
        body.announce_text !== undefined &&
        (await findCall(context.db, scope, params.call_id))?.status === 'in_progress',
      commit: (tx, requireSpeech) =>
        transferCall({ ...context, requireSpeech }, tx, scope, { callId: params.call_id, wanted: body }),
    });
    return await write(context, { request, reply, status: 202 }, phases);
  });
}

function consultRoutes(api: Api, context: Context): void {
  api.post('/calls/:call_id/transfer/complete', { schema: completeSchema }, async (request, reply) => {
    const { scope, params } = request;
    return await write(context, { request, reply, status: 200 }, async (tx) => {
      await controlCall(tx, scope, params.call_id, { type: 'complete_consult' });
      return await getCall(tx, scope, params.call_id);
    });
  });

  api.post('/calls/:call_id/transfer/cancel', { schema: cancelSchema }, async (request, reply) => {
    const { scope, params } = request;
    return await write(context, { request, reply, status: 200 }, async (tx) => {
      await controlCall(tx, scope, params.call_id, { type: 'cancel_consult' });
      return await getCall(tx, scope, params.call_id);
    });
  });
}

function holdRoutes(api: Api, context: Context): void {
  api.post('/calls/:call_id/hold', { schema: holdSchema }, async (request, reply) => {
    const { scope, params } = request;
    return await write(context, { request, reply, status: 200 }, async (tx) => {
      const { phone_number_id } = await getCall(tx, scope, params.call_id);
      const routing = await findRouting(tx, scope, phone_number_id);
      const audioRef = routing?.holdAudioRef ?? null;
      await controlCall(tx, scope, params.call_id, { type: 'hold', audioRef });
      return await getCall(tx, scope, params.call_id);
    });
  });

  api.post('/calls/:call_id/resume', { schema: resumeSchema }, async (request, reply) => {
    const { scope, params } = request;
    return await write(context, { request, reply, status: 200 }, async (tx) => {
      await controlCall(tx, scope, params.call_id, { type: 'resume' });
      return await getCall(tx, scope, params.call_id);
    });
  });
}
