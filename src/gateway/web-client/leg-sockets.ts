/** The open audio sockets of this node, one for each leg. A socket ends with its leg or its web client. */
import type { Context } from '../../context.ts';
import { onAgentSpeech, type WebClientExchange } from '../../domain/voice/index.ts';
import { CLOSE, type CloseReason, closeSocket } from '../../http/sockets/close-codes.ts';
import type { Incoming } from '../../http/sockets/socket-server.ts';
import { coalesce } from '../../lib/concurrency/coalesce.ts';
import { ignoreError } from '../../lib/errors/ignore-error.ts';
import { every } from '../../lib/time/time.ts';
import type { CallAudios, CallRef } from '../media/types.ts';
import type { PartyCutter } from '../media/utterance-cutter.ts';
import type { AgentSpeeches } from './agent-speech.ts';
import { type AudioGrant, type AudioPlace, placeOf, readGrantStates } from './audio-authorizer.ts';
import { type AudioSocket, openAudioSocket } from './audio-socket.ts';
import { onAudioChange, onWebClientSignal } from './signals.ts';

export type LegSocketsOptions = {
  readonly audios: CallAudios;
  readonly exchange: WebClientExchange;
  /** Speaks to the web clients of this node. */
  readonly speeches: Pick<AgentSpeeches, 'speak' | 'stop'>;
  /**
   * Returns the cutter for the words of a call's web client. Undefined if another part cuts them, or if they are not
   * needed.
   */
  readonly cutterOf: (call: CallRef) => Promise<PartyCutter | undefined>;
  /** How often all sockets are checked. A socket ends within this time even if its signal is lost. */
  readonly heartbeatMs: number;
};

export type LegSockets = {
  readonly size: number;
  /** Joins the socket to the call's audio, which is on this node. It replaces an older socket of the leg. */
  connect(incoming: Incoming, authorized: { readonly grant: AudioGrant; readonly place: AudioPlace }): Promise<void>;
  /** Closes all sockets, and every socket that connects later. */
  closeAll(reason: CloseReason): void;
  /** Stops the heartbeat's checks. */
  stop(): void;
};

export function createLegSockets(
  { db, bus, log }: Pick<Context, 'db' | 'bus' | 'log'>,
  { audios, exchange, speeches, cutterOf, heartbeatMs }: LegSocketsOptions,
): LegSockets {
  /** By leg. */
  const legs = new Map<string, AudioSocket>();
  let closedFor: CloseReason | undefined;

  const due = new Set<AudioSocket>();
  const checkDue = coalesce(async () => {
    const checked = [...due];
    due.clear();
    for (const [ledgerId, ofLedger] of Map.groupBy(checked, ({ grant }) => grant.ledgerId)) {
      const grants = ofLedger.map(({ grant }) => grant);
      const stateOf = await readGrantStates(db, exchange, ledgerId, grants);
      for (const socket of ofLedger) {
        const state = stateOf(socket.grant);
        if (state === 'revoked') socket.close(CLOSE.revoked);
        if (state === 'over') socket.stop('call_ended');
        if (typeof state !== 'string') socket.setPlace(state);
      }
      await speeches.speak(
        ledgerId,
        ofLedger.filter(({ grant }) => placeOf(stateOf(grant)) !== undefined),
      );
    }
  });
  const check = (list: Iterable<AudioSocket>) => {
    for (const socket of list) due.add(socket);
    if (due.size > 0) ignoreError(checkDue(), log, 'the heartbeat checks again');
  };

  onAudioChange(bus, (legId, change) => legs.get(legId)?.apply(change));
  onWebClientSignal(bus, ({ ledgerId, webClientId }) =>
    check([...legs.values()].filter(({ grant }) => grant.ledgerId === ledgerId && grant.webClientId === webClientId)),
  );
  onAgentSpeech(bus, ({ legIds, stopped }) => {
    const addressed = legIds.flatMap((legId) => legs.get(legId) ?? []);
    if (stopped === null) check(addressed);
    else for (const socket of addressed) speeches.stop(socket, stopped);
  });
  bus.onGap(() => check(legs.values()));
  const heartbeat = every(heartbeatMs, () => check(legs.values())).unref();

  return {
    get size() {
      return legs.size;
    },
    connect: async ({ webSocket, connection }, { grant, place }) => {
      const { legId, ledgerId, callId } = grant;
      const cutter = await cutterOf({ ledgerId, callId });
      const lease = await audios.acquire({ ledgerId, callId });
      if (closedFor !== undefined) closeSocket(webSocket, closedFor);
      if (webSocket.readyState !== webSocket.OPEN) return lease.release();
      legs.get(legId)?.close(CLOSE.replaced);
      const socket = openAudioSocket({ webSocket, connection, grant, lease, cutter, log });
      socket.setPlace(place);
      legs.set(legId, socket);
      webSocket.on('close', () => {
        if (legs.get(legId) === socket) legs.delete(legId);
      });
      // Checks the socket now. A signal that came after the grant was read found no socket, and a speech may wait for a
      // socket.
      check([socket]);
    },
    closeAll: (reason) => {
      closedFor = reason;
      for (const socket of legs.values()) socket.close(reason);
    },
    stop: () => heartbeat.cancel(),
  };
}
