/** Types of the audio engine, which the package itself and the console use. */
import type { CallQuality, SoftphoneError } from '../index.d.ts';

export type AudioOptions = {
  readonly microphone?: MediaTrackConstraints | undefined;
  /** The address of the worklet, for pages whose policy refuses `blob:`. */
  readonly workletUrl?: string | undefined;
};

export type LinkListener = {
  /** Audio arrives: 20 ms of mu-law, valid during the call of the function. */
  onFlow(codes: Uint8Array): void;
  /** The connection is lost, and may be made again. */
  onLost(): void;
  /** The page has no microphone; received audio is still played. */
  onNoMicrophone(error: SoftphoneError): void;
  /** How the received audio was in the latest seconds. */
  onQuality?(quality: CallQuality): void;
};

export type LinkOptions = {
  /** True begins without the microphone, which is asked for when it is first needed. */
  readonly isSilent?: boolean;
  /** False begins without the speaker. */
  readonly isPlaying?: boolean;
};

/** A sound that is being played. */
export type PlayedSound = { readonly ended: Promise<unknown>; stop(): void };

export type AudioLink = {
  /** Disconnects the microphone, or connects it. */
  setSilent(on: boolean): void;
  /** Connects the speaker, or disconnects it. */
  setPlaying(on: boolean): void;
  /** Sends a sound together with the microphone. */
  play(sound: AudioBuffer): PlayedSound;
  close(): void;
};

export interface AudioEngine {
  /** Asks for the microphone and starts the audio thread. */
  prepare(): Promise<void>;
  link(
    media: { readonly url: string; readonly token: string },
    listener: LinkListener,
    options?: LinkOptions,
  ): Promise<AudioLink>;
  /** Takes another microphone, also in the calls that last; '' for the default one. */
  useMicrophone(deviceId: string): Promise<void>;
  /** Plays calls at another speaker; '' for the default one. */
  useSpeaker(deviceId: string): Promise<void>;
  decode(bytes: ArrayBuffer): Promise<AudioBuffer>;
  /** Closes the audio thread and releases the microphone. */
  close(): Promise<void>;
}
export const AudioEngine: new (options?: AudioOptions) => AudioEngine;
