import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ANN, BOB, useCallAudio } from './use-call-audio.ts';

const { control, callIn, bridged, command, comes, events } = await useCallAudio();

type Words = {
  readonly transcript: string;
  readonly is_final: boolean;
  readonly confidence: number | null;
  readonly transcription_track?: string;
};

/** Waits until nobody talks, and returns the reports of transcripts. */
async function transcripts(): Promise<Words[]> {
  await control.callsQuiet({});
  const reports = (await events()).filter(({ event_type }) => event_type === 'call.transcription');
  return reports.map(({ payload }) => payload['transcription_data'] as Words);
}

test('both parties are transcribed on their tracks, a first guess and then the whole', async () => {
  const { ann } = await bridged();
  await control.words({ phoneNumber: ANN, texts: ['Good morning.', 'Bye.'] });
  await control.words({ phoneNumber: BOB, texts: ['Hello.'] });
  await command(ann, 'transcription_start', { transcription_engine: 'B', transcription_tracks: 'both' });
  await control.say({ phoneNumber: ANN, ms: 100 });
  await control.callsQuiet({});
  await control.say({ phoneNumber: BOB, ms: 100 });
  assert.deepEqual(await transcripts(), [
    { transcript: 'Good', is_final: false, confidence: null, transcription_track: 'inbound' },
    { transcript: 'Good morning.', is_final: true, confidence: 0.93, transcription_track: 'inbound' },
    { transcript: 'Hello.', is_final: true, confidence: 0.93, transcription_track: 'outbound' },
  ]);
  await command(ann, 'transcription_stop', {});
  await control.say({ phoneNumber: ANN, ms: 100 });
  assert.equal((await transcripts()).length, 3);
});

test('another engine than B names no track, and the other party is heard only if it is asked for', async () => {
  const { ann } = await bridged();
  await command(ann, 'transcription_start', { transcription_engine: 'A' });
  await control.words({ phoneNumber: BOB, texts: ['Hello.'] });
  await control.words({ phoneNumber: ANN, texts: ['Hi.'] });
  await control.say({ phoneNumber: BOB, ms: 100 });
  await control.say({ phoneNumber: ANN, ms: 100 });
  assert.deepEqual(await transcripts(), [{ transcript: 'Hi.', is_final: true, confidence: 0.93 }]);
});

test('a speech is on the outbound track', async () => {
  const ann = await callIn();
  await command(ann, 'transcription_start', { transcription_engine: 'B', transcription_tracks: 'both' });
  await command(ann, 'speak', { payload: 'Welcome.', voice: 'AWS.Polly.Joanna' });
  await comes('call.speak.ended');
  assert.deepEqual(
    (await transcripts()).map(({ transcript, transcription_track }) => [transcript, transcription_track]),
    [['Welcome.', 'outbound']],
  );
});

test('a second transcription of a leg is refused', async () => {
  const ann = await callIn();
  assert.equal((await command(ann, 'transcription_start', {})).status, 200);
  assert.equal((await command(ann, 'transcription_start', {})).code, '90054');
});
