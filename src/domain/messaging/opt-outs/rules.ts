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
