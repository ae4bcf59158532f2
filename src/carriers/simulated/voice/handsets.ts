/** Tokens of handsets: signed, short-lived, and used once. The leg stores the hash of its newest token. */
import { createHash, randomUUID } from 'node:crypto';
import type { Database, Tx } from '../../../db/database.ts';
import { signToken, type TokenKeys, verifyToken } from '../../../lib/crypto/signed-token.ts';
import type { Clock } from '../../../lib/time/clock.ts';
import type { Handsets } from '../../ports/handset.ts';
import { setAudioToken, useAudioToken } from './handset-queries.ts';
import type { LiveAudioOfCalls } from './live-audio.ts';
import { signalCall } from './queries.ts';

const KIND = { keyLabel: 'handset-audio', prefix: 'svcha_' };
const TOKEN_LIFE_S = 60;

export type TokenParts = { readonly cipher: TokenKeys; readonly clock: Clock };

type HandsetToken = { readonly token: string; readonly expiresAt: Date };

/** Mints the token of a leg. The earlier token becomes invalid. */
export async function mintHandsetToken(
  { cipher, clock }: TokenParts,
  tx: Tx,
  { ledgerId, legRef }: { readonly ledgerId: number; readonly legRef: string },
): Promise<HandsetToken> {
  const expiresAtS = Math.floor(clock.now() / 1000) + TOKEN_LIFE_S;
  const claims = { ledger: ledgerId, leg: legRef, id: randomUUID() };
  const token = signToken(cipher, KIND, { claims, expiresAtS });
  await setAudioToken(tx, { ledgerId, legRef }, hashOf(token));
  return { token, expiresAt: new Date(expiresAtS * 1000) };
}

/** Returns the functions that the gateway needs for the handsets of simulated calls. */
export function createHandsets(
  { cipher, clock }: TokenParts,
  { db, live }: { readonly db: Database; readonly live: Pick<LiveAudioOfCalls, 'lineOf'> },
): Handsets {
  return {
    isToken: (token) => token.startsWith(KIND.prefix),
    claim: (token) => {
      const verdict = verifyToken(cipher, KIND, token, clock.now() / 1000);
      if (!verdict.ok) return Promise.resolve(undefined);
      const { ledger: ledgerId, leg: legRef } = verdict.claims as { ledger: number; leg: string };
      return db.transaction(async (tx) => {
        const leg = await useAudioToken(tx, { ledgerId, legRef }, hashOf(token));
        if (leg === undefined) return undefined;
        signalCall(tx, leg.callRef);
        return { ledgerId, callId: leg.callRef, legId: legRef, party: leg.party };
      });
    },
    lineOf: live.lineOf,
  };
}

const hashOf = (token: string) => createHash('sha256').update(token).digest();
