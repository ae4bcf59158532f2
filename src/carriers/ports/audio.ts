/**
 * The audio port: how the audio of a carrier's calls reaches a gateway node. One node has the audio of a call. Streams,
 * transcription and web clients use the call's audio on that node (`call-audio.ts`), whatever its carrier.
 */
import type { Frame, Populate, Track } from './call-audio.ts';

/**
 * - `populate`: this process makes the sound of the parties. Called when a call gets its first consumer on the node.
 * - `dialect`: the carrier connects to the gateway, as the command start_stream asks. The dialect reads and writes the
 *   frames of one socket. `track` comes from the socket's address, for carriers whose frames do not name it.
 * - `hasOneStream`: the carrier sends the audio of a leg over one socket at a time. So the gateway's detector of
 *   answering machines shares that socket with the call. Without it the detector gets a separate socket.
 */
export type AudioPort =
  | { readonly populate: Populate; readonly dialect?: never; readonly hasOneStream?: never }
  | {
      readonly dialect: (track: SocketTrack) => SocketDialect;
      readonly hasOneStream?: true;
      readonly populate?: never;
    };

/** The longest name of a mark. */
export const MARK_CHARS_MAX = 256;

/** The content of one socket of a leg: the party's voice, the audio that the party hears, or both. */
export type SocketTrack = Track | 'both';

/** A message of a carrier on its socket. Audio is mu-law at 8 kHz. */
export type SocketEvent =
  | { readonly type: 'media'; readonly track: Track; readonly audio: Uint8Array }
  | { readonly type: 'digit'; readonly digit: string; readonly track: Track }
  /** The carrier has played a mark that the gateway sent. */
  | { readonly type: 'mark'; readonly name: string }
  /** The carrier ends the audio. */
  | { readonly type: 'stop' }
  /** The carrier sends audio in a format that cannot be read. `format` is the carrier's name for it. */
  | { readonly type: 'unreadable'; readonly format: string };

/** The protocol of one socket. It may keep state between messages. */
export type SocketDialect = {
  /** Reads a message; undefined if it is malformed, [] if the message is ignored here. */
  read(message: Buffer, isBinary: boolean): SocketEvent[] | undefined;
  /** True if the carrier ends the audio by a normal close of the socket, without a message. */
  readonly endsByClosing?: boolean;
  /** True if the carrier's `outbound` also has the audio that we send to the party with `media`. */
  readonly repeatsOurs?: boolean;
  /** Returns the message that plays 20 ms to the party. */
  media(frame: Frame): string | Uint8Array;
  /** Returns the message that stops playback immediately and drops the queue. */
  clear(): string;
  /** Returns the message that sets a mark after all audio sent so far; undefined if the dialect has no marks. */
  mark(name: string): string | undefined;
};
