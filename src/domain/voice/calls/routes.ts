import type { Context } from '../../../context.ts';
import { LARGE_BODY_BYTES_MAX } from '../../../http/edge/body-limits.ts';
import type { Api, RoutePlugin } from '../../../http/edge/types.ts';
import { momentPage, readMomentCursor, readRange } from '../../../http/schemas/pagination.ts';
import { Id, PageOf } from '../../../http/schemas/schemas.ts';
import { write } from '../../../http/writes/write.ts';
import { Type } from '../../../lib/type.ts';
import type { Speech } from '../../../speech/port.ts';
import { OptOut, type TimelineSource } from '../../messaging/index.ts';
import { numberFilter } from '../../numbers/index.ts';
import { tenantFilter } from '../../tenants/index.ts';
import { checkRelay } from '../relays/start-relay.ts';
import { controlCall, getCall, toGather } from './control/control-call.ts';
import { optOutCustomer } from './control/opt-out-customer.ts';
import { listCalls, listCallsOfConversation } from './list-queries.ts';
import { checkCall } from './place/check-call.ts';
import { checkDialable } from './place/place-call.ts';
import { placingPhases } from './place/place-phases.ts';
import { findCall } from './queries.ts';
import { speakingPhases } from './request-speech.ts';
import {
  Call,
  CallCheck,
  CallList,
  DigitsSent,
  GatherStarted,
  PlaceCall,
  SendDigits,
  StartGather,
  TranscriptionStarted,
} from './schema.ts';

const params = Type.Object({ call_id: Id });
const tags = ['Calls'];

const placeSchema = { tags, summary: 'Place a click-to-call', body: PlaceCall, response: { 201: Call } };
const checkSchema = {
  tags,
  summary: 'Would this call be placed?',
  body: PlaceCall,
  response: { 200: CallCheck },
};
const listSchema = { tags, summary: 'List calls', querystring: CallList, response: { 200: PageOf(Call) } };
const getSchema = { tags, summary: 'Get a call', params, response: { 200: Call } };
const digitsSchema = {
  tags,
  summary: 'Send DTMF digits to the other party',
  params,
  body: SendDigits,
  response: { 200: DigitsSent },
};
const gatherSchema = {
  tags,
  summary: 'Speak a prompt and gather digits',
  params,
  body: StartGather,
  response: { 200: GatherStarted },
};
const transcriptionSchema = {
  tags,
  summary: 'Start the transcription of a call',
  params,
  response: { 200: TranscriptionStarted },
};
const hangUpSchema = { tags, summary: 'Hang up a call', params, response: { 200: Call } };

const optOutSchema = { tags, summary: "Opt a call's customer out", params, response: { 201: OptOut } };

/** Returns the routes of calls. */
export function callRoutes(speech: Pick<Speech, 'voice' | 'toText'>): RoutePlugin {
  return (api, context) => {
    speakingRoutes(api, context, speech);
    otherRoutes(api, context);
  };
}

/** The operations that speak, either now or once the parties are connected. */
function speakingRoutes(api: Api, context: Context, speech: Pick<Speech, 'voice' | 'toText'>): void {
  const preHandler = async ({ body }: { body: PlaceCall }) => checkDialable(body);
  api.post('/calls', { bodyLimit: LARGE_BODY_BYTES_MAX, schema: placeSchema, preHandler }, async (request, reply) => {
    const { scope, body } = request;
    if (body.relay !== undefined) checkRelay(context.settings, scope, { url: body.relay.url, param: 'relay.url' });
    const phases = placingPhases(context, speech, scope, body);
    return await write(context, { request, reply, status: 201 }, phases);
  });

  api.post('/calls/:call_id/gather', { schema: gatherSchema }, async (request, reply) => {
    const { scope, params, body } = request;
    const phases = speakingPhases(speech, scope, {
      text: body.prompt,
      isNeeded: async () => (await findCall(context.db, scope, params.call_id))?.status === 'in_progress',
      commit: async (tx, requireSpeech) => {
        await controlCall(tx, scope, params.call_id, toGather(body));
        requireSpeech();
        return { call_id: params.call_id, status: 'listening' as const };
      },
    });
    return await write(context, { request, reply, status: 200 }, phases);
  });
}

function otherRoutes(api: Api, context: Context): void {
  api.post(
    '/calls/check',
    { bodyLimit: LARGE_BODY_BYTES_MAX, config: { hasNoEffect: true }, schema: checkSchema },
    async (request, reply) => {
      const outside = () => checkCall(context, request.scope, request.body, request.id);
      return await write(context, { request, reply, status: 200 }, { outside, keepsSlot: true });
    },
  );

  api.get('/calls', { schema: listSchema }, async ({ scope, query }) => {
    const { limit = 25, after, tenant_id, phone_number_id, external_number: externalNumber = null } = query;
    const { direction = null, status = null, outcome = null, route_reason: routeReason = null } = query;
    const before = readMomentCursor('calls', 2, after);
    const range = readRange(query);
    const tenantId = await tenantFilter(context.db, scope, tenant_id);
    const number = await numberFilter(context.db, scope, phone_number_id);
    const filter = { tenantId, number, direction, status, outcome, routeReason, externalNumber };
    return momentPage('calls', await listCalls(context.db, scope, filter, { range, before, rows: limit + 1 }), limit);
  });

  api.get('/calls/:call_id', { schema: getSchema }, ({ scope, params }) => getCall(context.db, scope, params.call_id));

  api.post('/calls/:call_id/dtmf', { schema: digitsSchema }, async (request, reply) => {
    const { scope, params, body } = request;
    return await write(context, { request, reply, status: 200 }, async (tx) => {
      await controlCall(tx, scope, params.call_id, { type: 'send_digits', digits: body.digits });
      return { call_id: params.call_id, digits: body.digits, status: 'sent' as const };
    });
  });

  api.post('/calls/:call_id/transcription', { schema: transcriptionSchema }, async (request, reply) => {
    const { scope, params } = request;
    return await write(context, { request, reply, status: 200 }, async (tx) => {
      await controlCall(tx, scope, params.call_id, { type: 'transcribe' });
      return { call_id: params.call_id, status: 'transcribing' as const };
    });
  });

  api.post('/calls/:call_id/hangup', { schema: hangUpSchema }, async (request, reply) => {
    const { scope, params } = request;
    return await write(context, { request, reply, status: 200 }, async (tx) => {
      await controlCall(tx, scope, params.call_id, { type: 'hang_up' });
      return await getCall(tx, scope, params.call_id);
    });
  });

  api.post('/calls/:call_id/opt_out', { schema: optOutSchema }, async (request, reply) => {
    const { scope, params } = request;
    return await write(context, { request, reply, status: 201 }, (tx) => optOutCustomer(tx, scope, params.call_id));
  });
}

/** The calls of a conversation. */
export const callTimeline: TimelineSource = {
  kind: 'call',
  schema: Call,
  list: (context, ledger, page) => listCallsOfConversation(context.db, ledger, page),
};
