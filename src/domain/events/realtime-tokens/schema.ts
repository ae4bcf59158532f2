import { Closed, Id, Timestamp } from '../../../http/schemas/schemas.ts';
import { type Static, Type } from '../../../lib/type.ts';

export const RealtimeToken = Type.Object({
  object: Type.Literal('realtime_token'),
  token: Type.String({ description: 'Safe to give to a browser: it opens the event socket and nothing else.' }),
  url: Type.String({ description: 'Where to connect; add the token as the query parameter "token".' }),
  expires_at: Timestamp,
});

export type RealtimeToken = Static<typeof RealtimeToken>;

export const MintRealtimeToken = Closed({
  tenant_id: Type.Optional(
    Type.String({
      ...Id,
      description: "The token gives this tenant's events only. A tenant's key needs no tenant_id.",
    }),
  ),
});
