/** What an AudioWorklet's own scope has (Web Audio API, 1.32), which the browser's library of types leaves out. */
declare class AudioWorkletProcessor {
  readonly port: MessagePort;
}
declare function registerProcessor(name: string, processor: new () => AudioWorkletProcessor): void;
/** Samples a second of the context. */
declare const sampleRate: number;
/** Seconds of audio since the context began. */
declare const currentTime: number;
