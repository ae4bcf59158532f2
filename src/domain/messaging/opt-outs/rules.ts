export const OPT_OUT_SOURCES = ['stop_keyword', 'stop_phrase', 'api', 'carrier', 'import'] as const;
export type OptOutSource = (typeof OPT_OUT_SOURCES)[number];

/** Sources that the API may lift again. The rest is the person's own word, which only their START takes back. */
const REMOVABLE: ReadonlySet<OptOutSource> = new Set(['api', 'import']);

export function isRemovable(source: OptOutSource): boolean {
  return REMOVABLE.has(source);
}

/** The resource that opt-out events are about, and whose order they keep. */
export function optOutResourceId(tenantId: string, externalNumber: string): string {
  return `${tenantId}:${externalNumber}`;
}
