import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { powerAt } from '../../../test/support/tone-power.ts';
import { toneFile, type WavForm } from '../../../test/support/wav-file.ts';
import { decodeMulaw } from '../mulaw.ts';
import { decodeWav } from '../wav.ts';
import { convertAudioFile, convertRecording } from './convert-file.ts';
import { AudioFileError } from './mono-audio.ts';
import { toTelephoneAudio } from './telephone-audio.ts';

const MP3 = await readFile(new URL('../../../test/support/tone.mp3', import.meta.url));

const decoded = async (file: Uint8Array) => decodeMulaw(await toTelephoneAudio(file));
/** Converts a file in a thread. Returns why it could not be converted. */
const problemOf = async (file: Uint8Array) => {
  const result = await convertAudioFile(file);
  return 'problem' in result ? result.problem : assert.fail('the file was converted');
};
const mean = (pcm: Int16Array) => pcm.reduce((sum, sample) => sum + sample * sample, 0) / pcm.length;

/** Fails unless the audio is a second of this tone, at the given root mean square. */
function assertTone(pcm: Int16Array, hz: number, rms: number): void {
  assert.ok(Math.abs(pcm.length - 8_000) < 1_000, `${pcm.length} samples`);
  assert.ok(powerAt(pcm, hz) > 0.8 * mean(pcm), 'another tone');
  assert.ok(Math.abs(Math.sqrt(mean(pcm)) - rms) < rms / 8, `root mean square ${Math.sqrt(mean(pcm))}`);
}

const FORMS: readonly WavForm[] = [
  { bits: 8 },
  { bits: 16 },
  { bits: 24 },
  { format: 'mulaw' },
  { bits: 16, rateHz: 44_100, channels: 2 },
  { bits: 24, rateHz: 48_000, channels: 2, extended: true },
  { bits: 8, rateHz: 11_025, channels: 2 },
  { format: 'mulaw', rateHz: 16_000 },
  { bits: 16, rateHz: 192_000 },
];

for (const form of FORMS) {
  test(`a WAV file of ${JSON.stringify(form)} sounds the same at 8 kHz`, async () => {
    // A tone of a quarter of full scale is louder than speech, so it is attenuated.
    assertTone(await decoded(toneFile(440, 1, form)), 440, 3_277);
  });
}

test('an MP3 file sounds the same at 8 kHz', async () => {
  assertTone(await decoded(MP3), 440, 3_277);
  const tagged = Buffer.concat([Buffer.from('ID3\u0003\u0000\u0000\u0000\u0000\u0000\u000a'), Buffer.alloc(10), MP3]);
  assertTone(await decoded(tagged), 440, 3_277);
});

test('quiet audio is not amplified', async () => {
  const file = toneFile(440, 1);
  for (let at = 44; at < file.length; at += 2) file.writeInt16LE(Math.round(file.readInt16LE(at) / 16), at);
  assertTone(await decoded(file), 440, 8_192 / 16 / Math.SQRT2);
});

test('five minutes of a file are kept', async () => {
  assert.equal((await decoded(toneFile(440, 301, { bits: 8 }))).length, 300 * 8_000);
});

test('a file that is no audio is refused with a sentence', async () => {
  for (const [file, message] of [
    ['', /^The file is neither WAV nor MP3\.$/],
    ['<html></html>', /^The file is neither WAV nor MP3\.$/],
    ['RIFFxxxxWAVE', /^The WAV file cannot be read: there is no audio in the file\.$/],
    [Buffer.alloc(200_000, 0xff), /^The file is neither WAV nor MP3\.$/],
    [toneFile(440, 1, { channels: 3 }), /with 3 channels of 16 bits\. It must be/],
    [toneFile(440, 0), /^The file has no audio\.$/],
    [toneFile(440, 1, { rateHz: 2_000 }), /^The file has 2000 samples a second\. It may have 4,000 to 192,000\.$/],
  ] as const) {
    await assert.rejects(decoded(Buffer.from(file as Uint8Array)), { constructor: AudioFileError, message });
  }
  assert.equal(await problemOf(Buffer.from('<html></html>')), 'The file is neither WAV nor MP3.');
});

test('a file that the MP3 decoder cannot read is refused with a sentence', async () => {
  for (const file of [Buffer.from('ID3'), Buffer.alloc(200_000, 'ID3')]) {
    assert.equal(await problemOf(file), 'The MP3 file has no audio that can be decoded.');
  }
});

test('an MP3 file is played up to its first error', async () => {
  const half = Buffer.concat([MP3.subarray(0, MP3.length / 2), Buffer.alloc(100_000, 0x55)]);
  const pcm = await decoded(half);
  assert.ok(pcm.length > 2_000 && pcm.length < 6_000, `${pcm.length} samples`);
});

test('a long file is converted beside the thread that plays audio', async () => {
  const file = toneFile(440, 25, { bits: 16, rateHz: 48_000, channels: 2 });
  const before = process.threadCpuUsage();
  const all = process.cpuUsage();
  const result = await convertAudioFile(file);
  const own = process.threadCpuUsage(before);
  const total = process.cpuUsage(all);
  assert.ok('audio' in result && result.audio.length === 25 * 8_000);
  assert.ok(own.user + own.system < (total.user + total.system) / 4, `${own.user} of ${total.user} µs`);
});

test('a recording with two channels at 16 kHz becomes one of 8 kHz, whole and as loud as it was', async () => {
  const converted = await convertRecording(toneFile(440, 2, { bits: 16, rateHz: 16_000, channels: 2 }));
  const { sampleRateHz, pcm } = decodeWav(converted);
  assert.equal(sampleRateHz, 8_000);
  assert.ok(Math.abs(pcm.length - 16_000) < 10, `${pcm.length} samples`);
  assert.ok(powerAt(pcm, 440) > 0.8 * mean(pcm), 'another tone');
  assert.ok(Math.abs(Math.sqrt(mean(pcm)) - 8_192 / Math.SQRT2) < 500);
});

test('a recording that is no WAV file is not converted', async () => {
  await assert.rejects(convertRecording(Buffer.from('RIFF')), /cannot be read/);
});
