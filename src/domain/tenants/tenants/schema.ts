import { type Static, Type } from 'typebox';
import { Closed, Metadata, Nullable, PageQuery, Text, Timestamp } from '../../../http/schemas/schemas.ts';

const NAME_CHARS_MAX = 200;
const EXTERNAL_REF_CHARS_MAX = 200;
export const DEFAULT_TIMEZONE = 'America/Phoenix';

export const Tenant = Type.Object({
  id: Type.String(),
  object: Type.Literal('tenant'),
  name: Type.String(),
  external_ref: Type.Union([Type.String(), Type.Null()]),
  timezone: Type.String(),
  metadata: Metadata,
  created_at: Timestamp,
});
export type Tenant = Static<typeof Tenant>;

const Name = Text({ maxLength: NAME_CHARS_MAX, missingCode: 'name_required' });
const ExternalRef = Nullable(Type.String({ minLength: 1, maxLength: EXTERNAL_REF_CHARS_MAX }));
const Timezone = Type.String({ maxLength: 100, errorCode: 'invalid_timezone', description: 'IANA name' });

export const CreateTenant = Closed({
  name: Name,
  external_ref: Type.Optional(ExternalRef),
  timezone: Type.Optional(Type.String({ ...Timezone, default: DEFAULT_TIMEZONE })),
  metadata: Type.Optional(Metadata),
});
export type CreateTenant = Static<typeof CreateTenant>;

export const UpdateTenant = Closed({
  name: Type.Optional(Name),
  external_ref: Type.Optional(ExternalRef),
  timezone: Type.Optional(Timezone),
  metadata: Type.Optional(Metadata),
});
export type UpdateTenant = Static<typeof UpdateTenant>;

export const TenantList = Closed({
  ...PageQuery,
  external_ref: Type.Optional(Type.String({ maxLength: EXTERNAL_REF_CHARS_MAX })),
});
export type TenantList = Static<typeof TenantList>;
