import {
  Closed,
  FilterFlag,
  FilterId,
  FilterParty,
  PageQuery,
  TenantQuery,
  Timestamp,
} from '../../../http/schemas/schemas.ts';
import { type Static, Type } from '../../../lib/type.ts';

export const Conversation = Type.Object({
  id: Type.String(),
  object: Type.Literal('conversation'),
  tenant_id: Type.String(),
  phone_number_id: Type.String(),
  external_number: Type.String(),
  last_activity_at: Timestamp,
  last_message_preview: Type.String(),
  opted_out: Type.Boolean(),
});
export type Conversation = Static<typeof Conversation>;

export const ConversationList = Closed({
  ...PageQuery,
  ...TenantQuery,
  phone_number_id: FilterId('phone_number_not_found'),
  external_number: FilterParty,
  opted_out: FilterFlag("Whether the person has opted out of the tenant's texts"),
});

export const TimelineQuery = Closed(PageQuery);
