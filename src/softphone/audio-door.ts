/** Lets seats in to the audio of their calls: short-lived tokens, and what is muted or on hold. */
import type { Context } from '../context.ts';
import type { SeatName } from '../domain/voice/index.ts';
import { signJwt, verifyJwt } from '../lib/jwt.ts';
import { SOFTPHONE_AUDIO_PATH } from './protocol.ts';
import type { SeatLegName } from './seat-lines.ts';

const KEY_LABEL = 'softphone-audio-token';
const AUDIENCE = 'softphone-audio';
const TOKEN_LIFE_S = 60;
const CHANNEL = 'seat-audio';

/** What a token opens: the audio of one leg. */
export type AudioGrant = SeatName & SeatLegName;

export type AudioSettings = { readonly mute?: boolean; readonly hold?: boolean };

export type AudioDoor = {
  /** Where the seat's audio goes, and with which token. */
  invite(seat: SeatName, leg: SeatLegName): { readonly url: string; readonly token: string };
  open(token: string): AudioGrant | undefined;
  /** Mutes a leg, or puts it on hold, on whichever node its audio is. */
  set(legId: string, settings: AudioSettings): void;
  onSet(listener: (legId: string, settings: AudioSettings) => void): void;
};

export function createAudioDoor({
  cipher,
  clock,
  bus,
  settings,
}: Pick<Context, 'cipher' | 'clock' | 'bus' | 'settings'>): AudioDoor {
  return {
    invite: ({ ledgerId: ledger, webClientId: sub }, { callId: call, legId: leg }) => {
      const issuedAtS = Math.floor(clock.now() / 1000);
      const lifetime = { issuedAtS, expiresAtS: issuedAtS + TOKEN_LIFE_S };
      const key = cipher.deriveKey(KEY_LABEL);
      const token = signJwt({ key, audience: AUDIENCE, claims: { sub, ledger, call, leg }, ...lifetime });
      return { url: `${settings.mediaUrl}${SOFTPHONE_AUDIO_PATH}`, token };
    },
    open: (token) => {
      const keys = cipher.deriveKeys(KEY_LABEL);
      const verdict = verifyJwt({ keys, audience: AUDIENCE, token, nowS: clock.now() / 1000 });
      if (!verdict.ok) return undefined;
      const claims = verdict.claims as { sub: string; ledger: number; call: string; leg: string };
      return { ledgerId: claims.ledger, webClientId: claims.sub, callId: claims.call, legId: claims.leg };
    },
    set: (legId, change) => bus.publish(CHANNEL, JSON.stringify([legId, change])),
    onSet: (listener) =>
      bus.subscribe(CHANNEL, (payload) => listener(...(JSON.parse(payload) as [string, AudioSettings]))),
  };
}
