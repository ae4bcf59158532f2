/** A network's statement about a caller's right to use the number (STIR/SHAKEN). */

/**
 * - A, B, C: the check passed. The network where the call began gave this level (ATIS-1000074, 5.2.3).
 * - failed: the signature is wrong or missing where it should be.
 * - none: nothing was checked.
 */
export const ATTESTATIONS = ['A', 'B', 'C', 'failed', 'none'] as const;
export type Attestation = (typeof ATTESTATIONS)[number];

/** A display name in quotes. The caller chooses it, so a verdict within it is ignored. */
const QUOTED = /"(?:[^"\\]|\\.)*"/gs;
const VERDICT = /;\s*verstat\s*=\s*([\w-]+)/i;

/**
 * Returns the verdict that a header P-Asserted-Identity or From has in `verstat` (3GPP TS 24.229, 7.2A.20). Undefined
 * without a verdict, and for a passed check without a level.
 */
export function readVerdict(header: string): Attestation | undefined {
  const verdict = VERDICT.exec(header.replaceAll(QUOTED, ''))?.[1]?.toLowerCase() ?? '';
  if (verdict.startsWith('tn-validation-failed')) return 'failed';
  if (verdict === 'no-tn-validation') return 'none';
  const level = /^tn-validation-passed-([abc])$/.exec(verdict)?.[1]?.toUpperCase();
  return ATTESTATIONS.find((attestation) => attestation === level);
}
