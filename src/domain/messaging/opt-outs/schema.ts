import { E164 } from '../../../http/schemas/forms.ts';
import { Closed, FilterParty, Id, PageQuery, TenantQuery, Timestamp } from '../../../http/schemas/schemas.ts';
import { type Static, Type } from '../../../lib/type.ts';
import { OPT_OUT_CHANNELS, OPT_OUT_SOURCES } from './rules.ts';

export const OptOut = Type.Object({
  object: Type.Literal('opt_out'),
  tenant_id: Type.String(),
  external_number: Type.String(),
  opted_out_at: Timestamp,
  source: Type.Enum(OPT_OUT_SOURCES),
  channels: Type.Array(Type.Enum(OPT_OUT_CHANNELS), {
    maxItems: OPT_OUT_CHANNELS.length,
    description: 'What is refused: "text" is texts, "call" is calls where software speaks',
  }),
});
export type OptOut = Static<typeof OptOut>;

export const CreateOptOut = Closed({
  tenant_id: Id,
  external_number: Type.String({ ...E164, errorCode: 'invalid_phone' }),
  source: Type.Optional(Type.Enum(['api', 'import'])),
  channels: Type.Optional(
    Type.Array(Type.Enum(OPT_OUT_CHANNELS), {
      minItems: 1,
      maxItems: OPT_OUT_CHANNELS.length,
      uniqueItems: true,
      description: 'Both by default. With the source "import" always both',
    }),
  ),
});
export type CreateOptOut = Static<typeof CreateOptOut>;

export const OptOutList = Closed({ ...PageQuery, ...TenantQuery, external_number: FilterParty });
export const OptOutDeletion = Closed(TenantQuery);
