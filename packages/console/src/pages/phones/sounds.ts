/** G.711 mu-law, as the sockets of calls carry it: the loudness of each code, 0 to 1. */
const LOUDNESS = Float32Array.from({ length: 256 }, (_, code) => {
  const bits = ~code & 0xff;
  return (((((bits & 0x0f) << 3) + 132) << ((bits >> 4) & 0x07)) - 132) / 32_768;
});

/** Returns the loudness of a piece of mu-law, as root mean square. */
export function levelOf(codes: Uint8Array): number {
  let sum = 0;
  for (const code of codes) sum += (LOUDNESS[code] as number) ** 2;
  return Math.sqrt(sum / codes.length);
}

const RATE_HZ = 48_000;
const VOLUME = 0.3;

/** Makes a tone that is as loud as a voice. */
export function makeTone(frequencyHz: number, seconds: number): AudioBuffer {
  const sound = new AudioBuffer({ length: RATE_HZ * seconds, sampleRate: RATE_HZ });
  const samples = sound.getChannelData(0);
  for (let i = 0; i < samples.length; i++) samples[i] = VOLUME * Math.sin((2 * Math.PI * frequencyHz * i) / RATE_HZ);
  return sound;
}
