/** A socket with the audio of a web client's leg. */
import type { Duplex } from 'node:stream';
import type { Logger } from 'pino';
import type { WebSocket } from 'ws';
import { isId } from '../../lib/ids.ts';
import { openPartySocket, type PartySocket } from '../media/party-socket.ts';
import type { CallAudioLease, Line } from '../media/types.ts';
import type { PartyCutter } from '../media/utterance-cutter.ts';
import { type AudioGrant, type AudioPlace, WITH_CUSTOMER } from './audio-authorizer.ts';
import { type AudioChange, createAudioState } from './signals.ts';
import { createSpokenText, type SpokenText } from './spoken-text.ts';

export type AudioSocketOptions = {
  readonly webSocket: WebSocket;
  /** The connection under the WebSocket. */
  readonly connection: Duplex;
  readonly grant: AudioGrant;
  /** Released when the socket ends. */
  readonly lease: CallAudioLease;
  /** Cuts the person's utterances. Absent if another part does. */
  readonly cutter?: PartyCutter | undefined;
  readonly log: Logger;
};

export type AudioSocket = PartySocket & {
  readonly grant: AudioGrant;
  /** The text that is spoken to the person, mixed with the audio of the call. It waits while the leg is on hold. */
  readonly spoken: SpokenText;
  apply(change: AudioChange): void;
  /** Sets the parties that hear the person, and the parties that the person hears. */
  setPlace(place: AudioPlace): void;
};

/**
 * Joins an open socket to its call's audio. The join ends with the socket or with the audio. That may be before this
 * function returns.
 */
export function openAudioSocket({ grant, log, ...parts }: AudioSocketOptions): AudioSocket {
  const settings = createAudioState();
  const isListener = isId('listener', grant.legId);
  let place = WITH_CUSTOMER;
  const spoken = createSpokenText();
  const { stop, close } = openPartySocket({
    ...parts,
    into: () => (settings.mute || settings.hold ? NOBODY : place.into),
    isApart: () => place.isApart,
    hearsAll: isListener,
    isAgent: !isListener,
    hear: ({ agent }) => (settings.hold || place.isDeaf === true ? undefined : spoken.mix(agent)),
    onEnd: (counts) => {
      spoken.end('cut_off');
      log.debug({ leg: grant.legId, ...counts }, 'the audio of a web client ended');
    },
  });
  return {
    grant,
    spoken,
    apply: settings.apply,
    setPlace: (now) => {
      place = now;
    },
    stop,
    close,
  };
}

const NOBODY: readonly Line[] = [];
