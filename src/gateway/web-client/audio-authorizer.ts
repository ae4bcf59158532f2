/**
 * Authorizes sockets for the audio of web clients: makes and checks short-lived tokens, and reads whether a token's leg
 * is still up.
 */
import type { Line } from '../../carriers/ports/call-audio.ts';
import type { WebClientLegIds } from '../../carriers/ports/web-client.ts';
import type { Context } from '../../context.ts';
import { findLedger } from '../../db/ledgers.ts';
import {
  type CallAudioState,
  chooseNodeNow,
  type ListenerHearers,
  listActiveWebClients,
  listAudioStates,
  type WebClientExchange,
  type WebClientName,
} from '../../domain/voice/index.ts';
import { signToken, verifyToken } from '../../lib/crypto/signed-token.ts';
import { isId } from '../../lib/ids.ts';
import { SOFTPHONE_AUDIO_PATH } from './protocol.ts';

const KIND = { keyLabel: 'softphone-audio-token', audience: 'softphone-audio' };
const TOKEN_LIFE_S = 60;

/** The grant of a token: the audio of one leg. */
export type AudioGrant = WebClientName & WebClientLegIds;

/** The address and the token that connect a web client to a call's audio. */
export type AudioAddress = { readonly url: string; readonly token: string };

export type AudioAuthorizer = {
  /**
   * Returns the address of the node that has the call's audio. If no node has it, a node takes it now. Undefined while
   * no node can take it.
   */
  authorize(webClient: WebClientName, leg: WebClientLegIds): Promise<AudioAddress | undefined>;
  /** Returns a token for the audio of a leg, valid on every node. */
  mintToken(webClient: WebClientName, leg: WebClientLegIds): string;
  /** Returns the grant of a token; undefined if the token is invalid or expired. */
  verifyToken(token: string): AudioGrant | undefined;
};

export function createAudioAuthorizer({
  db,
  cipher,
  clock,
  settings,
}: Pick<Context, 'db' | 'cipher' | 'clock' | 'settings'>): AudioAuthorizer {
  const mintToken: AudioAuthorizer['mintToken'] = (
    { ledgerId: ledger, webClientId: sub },
    { callId: call, legId: leg },
  ) => {
    const issuedAtS = Math.floor(clock.now() / 1000);
    const lifetime = { issuedAtS, expiresAtS: issuedAtS + TOKEN_LIFE_S };
    return signToken(cipher, KIND, { claims: { sub, ledger, call, leg }, ...lifetime });
  };
  return {
    authorize: async (webClient, leg) => {
      const nodeId = await chooseNodeNow(db, webClient, leg);
      if (nodeId === undefined) return undefined;
      return { url: `${settings.mediaUrl}${SOFTPHONE_AUDIO_PATH}/${nodeId}`, token: mintToken(webClient, leg) };
    },
    mintToken,
    verifyToken: (token) => {
      const verdict = verifyToken(cipher, KIND, token, clock.now() / 1000);
      if (!verdict.ok) return undefined;
      const claims = verdict.claims as { sub: string; ledger: number; call: string; leg: string };
      return { ledgerId: claims.ledger, webClientId: claims.sub, callId: claims.call, legId: claims.leg };
    },
  };
}

/**
 * The place of the person at a web client in a call's audio: the lines that carry the person's voice, and the parties
 * that the person hears.
 */
export type AudioPlace = {
  /** The lines that carry the person's voice. */
  readonly into: readonly Line[];
  /** True while the person must not hear the customer. */
  readonly isApart: boolean;
  /** True while the person hears nothing. */
  readonly isDeaf?: boolean;
};

/** A listener whose announcement has not been spoken yet. */
const WAITING: AudioPlace = { into: [], isApart: true, isDeaf: true };

/** An agent who talks to the customer. */
export const WITH_CUSTOMER: AudioPlace = { into: ['outbound'], isApart: false };
/** An agent whose customer is on hold. */
const APART: AudioPlace = { into: [], isApart: true };
/** An agent who was hung up a moment ago. The other parties may be connected with each other already. */
const LEAVING: AudioPlace = { into: [], isApart: true, isDeaf: true };
/** An agent who talks to another agent while the customer is on hold. */
const CONSULTING: AudioPlace = { into: ['agent'], isApart: true };

const LINES: Readonly<Record<ListenerHearers, readonly Line[]>> = {
  none: [],
  agent: ['agent'],
  all: ['outbound', 'agent'],
};

/** Returns the place of a listener. While the customer is on hold, the listener and the agents hear only each other. */
function placeOfListener(call: CallAudioState | undefined, id: string): GrantState {
  const listener = call?.listeners.find((candidate) => candidate.id === id);
  if (call === undefined || listener === undefined) return 'over';
  if (!listener.isActive) return WAITING;
  const lines = LINES[listener.speaksTo];
  return { into: call.isHeld ? lines.filter((line) => line !== 'outbound') : lines, isApart: call.isHeld };
}

/**
 * The place of a leg that is answered, or why it has no audio.
 * - over: the leg has ended, or is not answered yet.
 * - revoked: the web client no longer exists.
 */
export type GrantState = AudioPlace | 'over' | 'revoked';

/** Returns the place of a grant that has audio. */
export function placeOf(state: GrantState): AudioPlace | undefined {
  return typeof state === 'string' ? undefined : state;
}

/** Reads the present state of grants of one ledger. The number of queries does not depend on the number of grants. */
export async function readGrantStates(
  db: Context['db'],
  exchange: Pick<WebClientExchange, 'listLegsUp'>,
  ledgerId: number,
  grants: readonly AudioGrant[],
): Promise<(grant: AudioGrant) => GrantState> {
  const ledger = await findLedger(db, ledgerId);
  const legIds = grants.map(({ legId }) => legId);
  const webClientIds = grants.map(({ webClientId }) => webClientId);
  const callIds = grants.map(({ callId }) => callId);
  const [active, states, up] = await Promise.all([
    listActiveWebClients(db, { ledgerId }, webClientIds),
    listAudioStates(db, { ledgerId }, callIds),
    ledger === undefined ? undefined : exchange.listLegsUp(ledger, legIds),
  ]);
  return ({ webClientId, legId, callId }) => {
    if (!active.has(webClientId)) return 'revoked';
    if (up?.has(legId) !== true) return 'over';
    const call = states.get(callId);
    if (isId('listener', legId)) return placeOfListener(call, legId);
    if (call?.leavingIds.includes(legId) === true) return LEAVING;
    if (call?.isConsulting === true) return CONSULTING;
    return call?.isHeld === true ? APART : WITH_CUSTOMER;
  };
}
