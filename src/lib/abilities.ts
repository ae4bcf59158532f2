/** The abilities of a browser session: a closed list. http/edge/abilities.ts says which operations each one opens. */
export const ABILITIES = [
  'conversations:read',
  'messages:send',
  'calls:read',
  'calls:place',
  'voicemails:read',
  'events:read',
  'phone',
  'conversations:write',
] as const;

export type Ability = (typeof ABILITIES)[number];

/** The limits of a browser session, in addition to the limits of its tenant. */
export type BrowserGrant = {
  readonly abilities: readonly Ability[];
  /** The origins whose pages may use the token; null for any. */
  readonly allowedOrigins: readonly string[] | null;
  /** The only web client that the session may log in; null for any of the tenant. */
  readonly webClientId: string | null;
  /** The only reader of conversations that the page may act as; null for any. */
  readonly reader: string | null;
};
