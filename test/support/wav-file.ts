/** WAV files in the formats that customers use. */
import { encodeMulaw } from '../../src/audio/mulaw.ts';

export type WavForm = {
  format?: 'pcm' | 'mulaw';
  bits?: 8 | 16 | 24;
  rateHz?: number;
  channels?: number;
  extended?: boolean;
};

/** Makes a WAV file of a tone at a quarter of full scale, equal in all channels. */
export function toneFile(hz: number, seconds: number, form: WavForm = {}): Buffer {
  const { format = 'pcm', rateHz = 8_000, channels = 1, extended = false } = form;
  const bits = format === 'mulaw' ? 8 : (form.bits ?? 16);
  const samples = Int16Array.from({ length: rateHz * seconds * channels }, (_, n) =>
    Math.round(Math.sin((2 * Math.PI * hz * Math.floor(n / channels)) / rateHz) * 8_192),
  );
  const content = format === 'mulaw' ? Buffer.from(encodeMulaw(samples)) : bytesOf(samples, bits);
  const tag = format === 'mulaw' ? 7 : 1;
  const header = Buffer.alloc(extended ? 40 : 16);
  header.writeUInt16LE(extended ? 0xfffe : tag, 0);
  header.writeUInt16LE(channels, 2);
  header.writeUInt32LE(rateHz, 4);
  header.writeUInt16LE(bits, 14);
  if (extended) header.writeUInt16LE(tag, 24);
  return chunk('RIFF', Buffer.concat([Buffer.from('WAVE'), chunk('fmt ', header), chunk('data', content)]));
}

function bytesOf(samples: Int16Array, bits: number): Buffer {
  const bytes = Buffer.alloc((samples.length * bits) / 8);
  for (const [n, sample] of samples.entries()) {
    if (bits === 8) bytes[n] = (sample >> 8) + 128;
    else bytes.writeIntLE(bits === 24 ? sample * 256 : sample, (n * bits) / 8, bits / 8);
  }
  return bytes;
}

function chunk(name: string, content: Buffer): Buffer {
  const head = Buffer.alloc(8);
  head.write(name, 'latin1');
  head.writeUInt32LE(content.length, 4);
  return Buffer.concat([head, content, Buffer.alloc(content.length % 2)]);
}
