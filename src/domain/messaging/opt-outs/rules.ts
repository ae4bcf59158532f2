export const OPT_OUT_SOURCES = [
  'stop_keyword',
  'stop_phrase',
  'voice',
  'voice_phrase',
  'form',
  'api',
  'carrier',
  'import',
] as const;
export type OptOutSource = (typeof OPT_OUT_SOURCES)[number];

/**
 * The channels that an opt-out stops: texts, and calls with software that speaks. Only the API may set a single
 * channel.
 */
export const OPT_OUT_CHANNELS = ['text', 'call'] as const;
export type OptOutChannel = (typeof OPT_OUT_CHANNELS)[number];

/** The refusal of a text or call to a person who has opted out of its channel. The other channel may be open. */
export const OPTED_OUT: Readonly<Record<OptOutChannel, string>> = {
  text: 'The recipient has opted out of texts from this tenant.',
  call: 'The recipient has opted out of calls where software speaks, from this tenant. A human agent may call.',
};

/**
 * Sources of opt-outs that the API may remove. The others come from the person or the carrier; only a START removes
 * them.
 */
const REMOVABLE: ReadonlySet<OptOutSource> = new Set(['api', 'import']);

export function isRemovable(source: OptOutSource): boolean {
  return REMOVABLE.has(source);
}

/** Returns the resource id of opt-out events, which are delivered in order per resource. */
export function optOutResourceId(tenantId: string, externalNumber: string): string {
  return `${tenantId}:${externalNumber}`;
}
