import { Closed, Id, Nullable, PageQuery, TenantQuery, Text, Timestamp } from '../../../http/schemas/schemas.ts';
import { ABILITIES } from '../../../lib/abilities.ts';
import { type Static, Type } from '../../../lib/type.ts';
import { LIFE_S, ORIGINS_MAX } from './rules.ts';

/** The `Origin` header of a browser, in the spelling that browsers send. */
const ORIGIN = {
  maxLength: 300,
  pattern: '^https?://([a-z0-9_.-]+|\\[[0-9a-f:.]+\\])(:[1-9][0-9]{0,4})?$',
  form: 'an origin in lower case, such as https://app.example or http://localhost:3000',
};

const Abilities = Type.Array(Type.Enum([...ABILITIES]), {
  minItems: 1,
  maxItems: ABILITIES.length,
  uniqueItems: true,
  description: 'What the page may do for the tenant. Each ability opens some operations; all others are refused.',
});

const fields = {
  id: Type.String(),
  object: Type.Literal('browser_session'),
  tenant_id: Type.String(),
  abilities: Type.Array(Type.Enum([...ABILITIES]), { maxItems: ABILITIES.length }),
  allowed_origins: Type.Union([Type.Array(Type.String(), { maxItems: ORIGINS_MAX }), Type.Null()], {
    description: 'Null allows pages of any origin.',
  }),
  web_client_id: Type.Union([Type.String(), Type.Null()], {
    description: 'With `phone`: null allows any web client of the tenant.',
  }),
  reader: Type.Union([Type.String(), Type.Null()], {
    description: 'Your own id of the user who reads conversations on the page. Null allows any.',
  }),
  created_at: Timestamp,
  expires_at: Timestamp,
};

export const BrowserSession = Type.Object(fields);
export type BrowserSession = Static<typeof BrowserSession>;

export const BrowserSessionWithToken = Type.Object({
  ...fields,
  token: Type.String({ description: 'What the page sends in place of a key. Shown in this reply only.' }),
});
export type BrowserSessionWithToken = Static<typeof BrowserSessionWithToken>;

export const CreateBrowserSession = Closed({
  tenant_id: Id,
  abilities: Abilities,
  allowed_origins: Type.Optional(
    Nullable(
      Type.Array(Type.String(ORIGIN), {
        minItems: 1,
        maxItems: ORIGINS_MAX,
        uniqueItems: true,
        description: 'The origins whose pages may use the token; any by default.',
      }),
    ),
  ),
  web_client_id: Type.Optional(
    Nullable(Type.String({ ...Id, description: 'With `phone`: the only web client that the page may log in.' })),
  ),
  reader: Type.Optional(
    Nullable(Text({ maxLength: 100, description: 'Your own id of the user who reads conversations on the page.' })),
  ),
  expires_in_seconds: Type.Optional(
    Type.Integer({
      minimum: LIFE_S.min,
      maximum: LIFE_S.max,
      default: LIFE_S.default,
      description: 'How long the session lasts.',
    }),
  ),
});
export type CreateBrowserSession = Static<typeof CreateBrowserSession>;

export const BrowserSessionList = Closed({ ...PageQuery, ...TenantQuery });
