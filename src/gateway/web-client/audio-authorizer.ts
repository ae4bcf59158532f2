/** Lets web clients in to the audio of their calls: short-lived tokens, and what is muted or on hold. */

import type { WebClientLegIds } from '../../carriers/ports/web-client.ts';
import type { Context } from '../../context.ts';
import { chooseNode, type WebClientName } from '../../domain/voice/index.ts';
import { signToken, verifyToken } from '../../lib/signed-token.ts';
import { SOFTPHONE_AUDIO_PATH } from './protocol.ts';

const KIND = { keyLabel: 'softphone-audio-token', audience: 'softphone-audio' };
const TOKEN_LIFE_S = 60;
const CHANNEL = 'web-client-audio';

/** What a token opens: the audio of one leg. */
export type AudioGrant = WebClientName & WebClientLegIds;

export type AudioSettings = { readonly mute?: boolean; readonly hold?: boolean };

/** A change of a leg's settings. Of two changes of one setting the one with the higher `at` counts. */
export type AudioChange = AudioSettings & { readonly at: number };

export type AudioInvitation = { readonly url: string; readonly token: string };

export type AudioDoor = {
  /**
   * Where the web client's audio goes, and with which token: to the node that has the audio of the call. Undefined while there
   * is none to take it.
   */
  invite(webClient: WebClientName, leg: WebClientLegIds): Promise<AudioInvitation | undefined>;
  /** A token for the audio of a leg, on whichever node. */
  mint(webClient: WebClientName, leg: WebClientLegIds): string;
  open(token: string): AudioGrant | undefined;
  /** Mutes a leg, or puts it on hold, on whichever node its audio is. */
  set(legId: string, settings: AudioSettings): void;
  /** Changes may come late, and out of their order. */
  onSet(listener: (legId: string, change: AudioChange) => void): void;
};

export function createAudioDoor({
  db,
  cipher,
  clock,
  bus,
  settings,
}: Pick<Context, 'db' | 'cipher' | 'clock' | 'bus' | 'settings'>): AudioDoor {
  const mint: AudioDoor['mint'] = ({ ledgerId: ledger, webClientId: sub }, { callId: call, legId: leg }) => {
    const issuedAtS = Math.floor(clock.now() / 1000);
    const lifetime = { issuedAtS, expiresAtS: issuedAtS + TOKEN_LIFE_S };
    return signToken(cipher, KIND, { claims: { sub, ledger, call, leg }, ...lifetime });
  };
  let lastAt = 0;
  /** Rises with each change, and goes on where another process of the web client's left off. */
  const nextAt = () => {
    lastAt = Math.max(lastAt + 1, clock.now());
    return lastAt;
  };
  return {
    invite: async (webClient, leg) => {
      const nodeId = await chooseNode(db, webClient, leg);
      if (nodeId === undefined) return undefined;
      return { url: `${settings.mediaUrl}${SOFTPHONE_AUDIO_PATH}/${nodeId}`, token: mint(webClient, leg) };
    },
    mint,
    open: (token) => {
      const verdict = verifyToken(cipher, KIND, token, clock.now() / 1000);
      if (!verdict.ok) return undefined;
      const claims = verdict.claims as { sub: string; ledger: number; call: string; leg: string };
      return { ledgerId: claims.ledger, webClientId: claims.sub, callId: claims.call, legId: claims.leg };
    },
    set: (legId, change) => bus.publish(CHANNEL, JSON.stringify([legId, { ...change, at: nextAt() }])),
    onSet: (listener) =>
      bus.subscribe(CHANNEL, (payload) => listener(...(JSON.parse(payload) as [string, AudioChange]))),
  };
}

/** What is muted and on hold, from changes in whatever order they come. */
export function createAudioState() {
  const state = { mute: false, hold: false };
  const changedAt = { mute: 0, hold: 0 };
  return {
    get mute() {
      return state.mute;
    },
    get hold() {
      return state.hold;
    },
    take: ({ at, ...change }: AudioChange) => {
      for (const setting of ['mute', 'hold'] as const) {
        const value = change[setting];
        if (value === undefined || at <= changedAt[setting]) continue;
        state[setting] = value;
        changedAt[setting] = at;
      }
    },
  };
}
