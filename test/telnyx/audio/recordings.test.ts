import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pcmFromBytes, readWav } from '../../../src/audio/wav.ts';
import { until } from '../../support/jobs.ts';
import { soundingOf } from './listening.ts';
import { ANN, type AudioLeg, BOB, useCallAudio } from './use-call-audio.ts';
import { voiceHz } from './voices.ts';

const { control, receiver, call, callIn, bridged, command, talks, events, comes } = await useCallAudio();

type Shown = {
  readonly id: string;
  readonly duration_millis: number;
  readonly download_urls: { readonly wav: string };
};

/** Returns the recordings of a leg as the API lists them. */
async function listed({ call_leg_id }: AudioLeg): Promise<Shown[]> {
  return (await call('GET', `/recordings?filter[call_leg_id]=${call_leg_id}`)).data as Shown[];
}

/** Fetches a recording. Returns the tones of each channel, and how long it is. */
async function fetched(url: string) {
  const file = Buffer.from(await (await fetch(url)).arrayBuffer());
  const { channels, content } = readWav(file);
  const samples = pcmFromBytes(content);
  const tones = Array.from({ length: channels }, (_, channel) =>
    soundingOf(samples.filter((_sample, at) => at % channels === channel)).peaksHz.toSorted(),
  );
  return { tones, durationMs: samples.length / channels / 8 };
}

const urlOf = (payload: { readonly [name: string]: unknown }): string =>
  (payload['recording_urls'] as { wav: string }).wav;

test('a recording of two channels has the leg on one and what it hears on the other, and is reported with a link', async () => {
  const { ann, bob } = await bridged();
  await command(ann, 'record_start', { format: 'wav', channels: 'dual', client_state: 'YQ==' });
  await talks(ANN, 300);
  await talks(BOB, 300);
  await until(
    'Ann hears Bob',
    async () => (await control.heard({ phoneNumber: ANN, lastMs: 2_000 })).peaksHz.length > 0,
  );
  await until('Bob has said it', async () => (await control.heard({ phoneNumber: ANN, lastMs: 100 })).level === 0);
  await command(ann, 'record_stop', {});
  const { payload } = await comes('call.recording.saved');
  const { call_leg_id, call_session_id, channels, client_state, recording_urls } = payload;
  assert.deepEqual([call_leg_id, call_session_id], [ann.call_leg_id, ann.call_session_id]);
  assert.deepEqual([channels, client_state, Object.keys(recording_urls as object)], ['dual', 'YQ==', ['wav']]);
  assert.ok(!('call_control_id' in payload));
  const { tones, durationMs } = await fetched(urlOf(payload));
  assert.deepEqual(tones, [[voiceHz(ANN)], [voiceHz(BOB)]]);
  const [shown, ...others] = await listed(ann);
  assert.equal(payload['recording_id'], shown?.id);
  assert.deepEqual([shown?.duration_millis, others.length, (await listed(bob)).length], [durationMs, 0, 0]);
  const times = ['recording_started_at', 'recording_ended_at'].map((field) => Date.parse(`${payload[field]}`));
  assert.equal((times[1] ?? 0) - (times[0] ?? 0), durationMs);
});

test('a link expires, and reading the recording gives a new one, until the recording is deleted', async () => {
  await control.set({ recordingLifeMs: 0 });
  const ann = await callIn();
  await command(ann, 'record_start', { format: 'wav', channels: 'single' });
  await talks(ANN, 200);
  await command(ann, 'hangup', {});
  const { payload } = await comes('call.recording.saved');
  assert.equal((await fetch(urlOf(payload))).status, 403);
  await control.set({ recordingLifeMs: 600_000 });
  const [{ id } = assert.fail('no recording')] = await listed(ann);
  const { download_urls } = (await call('GET', `/recordings/${id}`)).data as Shown;
  assert.equal((await fetched(download_urls.wav)).tones.length, 1);
  assert.equal((await call('DELETE', `/recordings/${id}`)).status, 200);
  assert.equal((await fetch(download_urls.wav)).status, 403);
  assert.equal((await call('GET', `/recordings/${id}`)).status, 404);
  assert.deepEqual(await listed(ann), []);
});

test('a beep is heard and not recorded, and silence at both ends is cut off', async () => {
  const ann = await callIn();
  const trim = { play_beep: true, trim: 'trim-silence', channels: 'single' };
  await command(ann, 'record_start', { format: 'wav', ...trim });
  await until('the beep is heard', async () => {
    const { peaksHz } = await control.heard({ phoneNumber: ANN, lastMs: 2_000 });
    return peaksHz.includes(1_000);
  });
  await until('the beep is over', async () => (await control.heard({ phoneNumber: ANN, lastMs: 100 })).level === 0);
  await talks(ANN, 200);
  await until('Ann is silent', async () => (await control.said({ phoneNumber: ANN, lastMs: 100 })).level === 0);
  await command(ann, 'record_stop', {});
  const { payload } = await comes('call.recording.saved');
  assert.deepEqual(await fetched(urlOf(payload)), { tones: [[voiceHz(ANN)]], durationMs: 200 });
});

test('a caller who hears the beep leaves a message', async () => {
  const ann = await callIn();
  await control.person({ phoneNumber: ANN, saysMs: 200, hangsUpAfterMs: null });
  await command(ann, 'record_start', { format: 'wav', play_beep: true, trim: 'trim-silence', channels: 'single' });
  await control.callsQuiet({});
  await command(ann, 'hangup', {});
  const { payload } = await comes('call.recording.saved');
  assert.deepEqual(await fetched(urlOf(payload)), { tones: [[voiceHz(ANN)]], durationMs: 200 });
});

test('waiting for quiet calls waits for digits that are sent', async () => {
  const ann = await callIn();
  await control.callsQuiet({});
  await command(ann, 'record_start', { format: 'wav', trim: 'trim-silence', channels: 'single' });
  await command(ann, 'send_dtmf', { digits: '5' });
  await control.callsQuiet({});
  await command(ann, 'hangup', {});
  const { payload } = await comes('call.recording.saved');
  assert.deepEqual(await fetched(urlOf(payload)), { tones: [[1_340, 770]], durationMs: 100 });
});

test('a recording ends at its maximum length, and a second after the last word', async () => {
  const ann = await callIn();
  await command(ann, 'record_start', { format: 'wav', channels: 'single', max_length: 1 });
  const full = await comes('call.recording.saved');
  assert.equal((await fetched(urlOf(full.payload))).durationMs, 1_000);
  receiver.received.length = 0;
  await command(ann, 'record_start', { format: 'wav', channels: 'single', timeout_secs: 1 });
  await talks(ANN, 200);
  const silent = await comes('call.recording.saved');
  const { durationMs } = await fetched(urlOf(silent.payload));
  assert.ok(durationMs >= 1_200 && durationMs < 2_000, `${durationMs}`);
});

test('the words of a recording are reported after it if they were asked for', async () => {
  const ann = await callIn();
  await control.words({ phoneNumber: ANN, texts: ['Please call me back.'] });
  await command(ann, 'record_start', {
    format: 'wav',
    channels: 'single',
    transcription: true,
    transcription_engine: 'B',
  });
  await talks(ANN, 100);
  await command(ann, 'hangup', {});
  const { payload } = await comes('call.recording.transcription.saved');
  const [{ id } = assert.fail('no recording')] = await listed(ann);
  const { recording_id, transcription_text, status } = payload;
  assert.deepEqual([recording_id, transcription_text, status], [id, 'Please call me back.', 'completed']);
  const types = (await events()).map(({ event_type }) => event_type).filter((type) => type.includes('recording'));
  assert.deepEqual(types, ['call.recording.saved', 'call.recording.transcription.saved']);
});

test('a recording without audio, or one that fails, is reported as an error', async () => {
  const ann = await callIn();
  await command(ann, 'record_start', { format: 'wav', channels: 'single', trim: 'trim-silence' });
  await command(ann, 'record_stop', {});
  assert.equal((await comes('call.recording.error')).payload['reason'], 'Internal server error');
  receiver.received.length = 0;
  await control.set({ recordingsFail: true });
  await command(ann, 'record_start', { format: 'wav', channels: 'single' });
  await talks(ANN, 200);
  await command(ann, 'record_stop', {});
  await comes('call.recording.error');
  await control.set({ recordingsFail: false });
  assert.deepEqual(await listed(ann), []);
});

test('MP3, a silence limit beside a transcription, and an unknown filter are refused', async () => {
  const ann = await callIn();
  const start = (more: object) => command(ann, 'record_start', { format: 'wav', channels: 'single', ...more });
  assert.equal((await start({ format: 'mp3' })).code, '10015');
  await command(ann, 'transcription_start', { transcription_engine: 'B' });
  assert.equal((await start({ timeout_secs: 3 })).code, '90053');
  assert.equal((await call('GET', '/recordings?filter[colour]=red')).code, '10015');
});
