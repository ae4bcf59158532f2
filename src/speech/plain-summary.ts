import type { SpokenSegment } from './port.ts';

/** Longer quotes are cut, so that a summary stays short. */
const QUOTE_CHARS_MAX = 160;

/**
 * Returns a summary without a model: how often each party spoke, and each party's first words. The same call always has
 * the same summary.
 */
export function plainSummary(
  segments: readonly SpokenSegment[],
  { durationSeconds }: { readonly durationSeconds: number },
): string {
  if (segments.length === 0) return 'Nobody spoke on this call.';
  const said = (['customer', 'agent'] as const).flatMap((speaker) => {
    const spoken = segments.filter((segment) => segment.speaker === speaker);
    const first = spoken[0];
    if (first === undefined) return [`The ${speaker} said nothing.`];
    const times = spoken.length === 1 ? 'once' : `${spoken.length} times`;
    return [`The ${speaker} spoke ${times}, first: "${quote(first.text)}"`];
  });
  return `A call of ${durationSeconds} seconds. ${said.join(' ')}`;
}

function quote(text: string): string {
  const characters = [...text];
  return characters.length <= QUOTE_CHARS_MAX ? text : `${characters.slice(0, QUOTE_CHARS_MAX).join('')}…`;
}
