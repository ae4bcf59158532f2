import { Closed, Id, Timestamp } from '../../../../http/schemas/schemas.ts';
import { type Static, Type } from '../../../../lib/type.ts';
import { LISTENER_HEARERS } from '../state/call-listener.ts';

export const StartListening = Closed({
  web_client_id: Type.String({ ...Id, description: 'A web client of the tenant (wcl_…) that is on no call' }),
  speaks_to: Type.Enum([...LISTENER_HEARERS], {
    description: 'Who hears it: nobody, the agent alone, or all parties. It hears all of them in each case',
  }),
});
export type StartListening = Static<typeof StartListening>;

export const CallListener = Type.Object({
  id: Type.String(),
  object: Type.Literal('call_listener'),
  call_id: Type.String(),
  web_client_id: Type.String(),
  speaks_to: Type.Enum([...LISTENER_HEARERS]),
  created_at: Timestamp,
});
export type CallListener = Static<typeof CallListener>;
