import { Closed, Id, Nullable, PageQuery, TenantQuery, Text, Timestamp } from '../../../http/schemas/schemas.ts';
import { type Static, Type } from '../../../lib/type.ts';
import { NAME_CHARS_MAX, WEB_CLIENT_STATUSES } from './rules.ts';

export const WebClient = Type.Object({
  id: Type.String(),
  object: Type.Literal('web_client'),
  tenant_id: Type.String(),
  name: Type.Union([Type.String(), Type.Null()]),
  e911_address_id: Type.Union([Type.String(), Type.Null()], {
    description: 'Where its person is. Goes before the address of the number that an emergency call is made from',
  }),
  sip_username: Type.String({ description: 'The name of the web client in signalling; its password is never shown' }),
  status: Type.Enum([...WEB_CLIENT_STATUSES]),
  created_at: Timestamp,
});
export type WebClient = Static<typeof WebClient>;

export const CreateWebClient = Closed({
  tenant_id: Id,
  name: Type.Optional(Nullable(Text({ maxLength: NAME_CHARS_MAX, description: 'The person or desk that uses it' }))),
  e911_address_id: Type.Optional(
    Nullable(Type.String({ ...Id, description: 'A validated emergency address of the tenant: where its person is' })),
  ),
});
export type CreateWebClient = Static<typeof CreateWebClient>;

export const WebClientList = Closed({ ...PageQuery, ...TenantQuery });

export const LoginToken = Type.Object({
  object: Type.Literal('web_client_token'),
  token: Type.String({
    description: 'Safe to give to a browser: it logs in this one web client and does nothing else.',
  }),
  expires_at: Timestamp,
});
export type LoginToken = Static<typeof LoginToken>;
