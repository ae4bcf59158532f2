/** The tokens that carriers send with the audio of legs. They are signed and not stored. */
import type { Party } from '../../../carriers/ports/voice.ts';
import type { Context } from '../../../context.ts';
import { signToken, verifyToken } from '../../../lib/crypto/signed-token.ts';
import type { Ledger } from '../../../lib/scope.ts';

/** In the token of a socket, this replaces the party if only the detector of answering machines receives the audio. */
export const DETECTOR = 'detector';

type TokenOf = { readonly callRef: string; readonly legRef: string; readonly party: Party | typeof DETECTOR };

type Claims = {
  readonly ledger: number;
  readonly call: string;
  readonly leg: string;
  readonly party: TokenOf['party'];
};

const INGEST = { keyLabel: 'media-ingest', prefix: 'svcin_' };
/** How long a token is valid. A carrier connects within seconds. */
const INGEST_LIFE_S = 120;

/** Returns the token that a carrier sends with the audio of a leg. */
export function mintIngestToken(
  { cipher, clock }: Pick<Context, 'cipher' | 'clock'>,
  { ledgerId: ledger }: Ledger,
  { callRef: call, legRef: leg, party }: TokenOf,
): string {
  const expiresAtS = Math.floor(clock.now() / 1000) + INGEST_LIFE_S;
  const claims: Claims = { ledger, call, leg, party };
  return signToken(cipher, INGEST, { claims, expiresAtS });
}

/** Returns the leg that a token is for, and its ledger. Undefined for a token that is not ours or has expired. */
export function openIngestToken(
  { cipher, clock }: Pick<Context, 'cipher' | 'clock'>,
  token: string,
): (TokenOf & { readonly ledgerId: number }) | undefined {
  const verdict = verifyToken(cipher, INGEST, token, clock.now() / 1000);
  if (!verdict.ok) return undefined;
  const { ledger, call, leg, party } = verdict.claims as Claims;
  return { ledgerId: ledger, callRef: call, legRef: leg, party };
}
