/** Types of the AudioWorklet global scope (Web Audio API, 1.32), which TypeScript's DOM library does not have. */
declare class AudioWorkletProcessor {
  readonly port: MessagePort;
}
declare function registerProcessor(name: string, processor: new () => AudioWorkletProcessor): void;
/** Sample rate of the context, in Hz. */
declare const sampleRate: number;
/** Seconds of audio since the context started. */
declare const currentTime: number;
