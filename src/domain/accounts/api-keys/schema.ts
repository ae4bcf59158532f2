import {
  Closed,
  Id,
  Nullable,
  NullableTimestamp,
  PageQuery,
  TenantQuery,
  Text,
  Timestamp,
} from '../../../http/schemas/schemas.ts';
import { KEY_PERMISSIONS, MODES } from '../../../lib/scope.ts';
import { type Static, Type } from '../../../lib/type.ts';
import { NAME_CHARS_MAX, OVERLAP_S, OVERLAP_S_MAX } from './rules.ts';

const fields = {
  id: Type.String(),
  object: Type.Literal('api_key'),
  name: Type.String(),
  tenant_id: Type.Union([Type.String(), Type.Null()], { description: 'Null opens all tenants of the account.' }),
  mode: Type.Enum(MODES),
  permissions: Type.Enum(KEY_PERMISSIONS, {
    description: '`read` refuses every request that changes something with `key_not_permitted`.',
  }),
  rate_limit: Type.Integer({ description: 'Requests a second, in bursts of three times as many.' }),
  last4: Type.String({ description: 'The last four characters of the key.' }),
  created_at: Timestamp,
  last_used_at: Type.Unsafe<Date | null>({ ...NullableTimestamp, description: 'Exact to a minute.' }),
  expires_at: Type.Unsafe<Date | null>({ ...NullableTimestamp, description: 'Set when the key has been rotated out.' }),
};

export const ApiKey = Type.Object(fields);
export type ApiKey = Static<typeof ApiKey>;

export const ApiKeyWithSecret = Type.Object({
  ...fields,
  key: Type.String({ description: 'The secret. Shown in this reply only.' }),
});
export type ApiKeyWithSecret = Static<typeof ApiKeyWithSecret>;

export const CreateApiKey = Closed({
  name: Text({ maxLength: NAME_CHARS_MAX }),
  tenant_id: Type.Optional(Nullable(Id)),
  permissions: Type.Optional(Type.Enum(KEY_PERMISSIONS, { default: 'write' })),
});
export type CreateApiKey = Static<typeof CreateApiKey>;

export const RotateApiKey = Closed({
  expires_in_seconds: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: OVERLAP_S_MAX,
      default: OVERLAP_S,
      description: 'How long the old key stays valid.',
    }),
  ),
});
export type RotateApiKey = Static<typeof RotateApiKey>;

export const ApiKeyList = Closed({ ...PageQuery, ...TenantQuery });
