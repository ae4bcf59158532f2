import type { RoutePlugin } from '../../../http/edge/types.ts';
import { PARTY } from '../../../http/schemas/forms.ts';
import { Closed, Id, Timestamp } from '../../../http/schemas/schemas.ts';
import { write } from '../../../http/writes/write.ts';
import { Type } from '../../../lib/type.ts';
import type { CallParts } from './call-parts.ts';
import { openHandset } from './open-handset.ts';

const OpenAudio = Closed({
  number: Type.String({
    ...PARTY,
    errorCode: 'invalid_phone',
    description: 'The person, by telephone number. It is on the call or is rung, and was taken over',
  }),
});
const OpenedAudio = Type.Object({
  object: Type.Literal('test_call_audio'),
  call_id: Type.String(),
  url: Type.String({ description: 'WebSocket address of the gateway that holds the audio; use it as it is' }),
  token: Type.String({ description: 'Opens the socket once. Shown only here' }),
  expires_at: Timestamp,
});

const route = {
  config: { testOnly: true },
  schema: {
    tags: ['Test mode'],
    summary: 'Open the audio of a person',
    params: Type.Object({ call_id: Id }),
    body: OpenAudio,
    response: { 201: OpenedAudio },
  },
} as const;

/** Adds the control that lets a program speak and listen as a person on a simulated call. */
export function createHandsetSimulation({ domain }: Pick<CallParts, 'domain'>): RoutePlugin {
  return (api, context) => {
    api.post('/test/calls/:call_id/audio', route, (request, reply) => {
      const { call_id: callId } = request.params;
      return write(context, { request, reply, status: 201 }, (tx) =>
        openHandset({ ...context, domain }, tx, request.scope, { callId, number: request.body.number }),
      );
    });
  };
}
