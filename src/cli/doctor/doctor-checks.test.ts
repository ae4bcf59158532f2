import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { closeAfterTests } from '../../../test/support/close-after-tests.ts';
import { startS3 } from '../../../test/support/s3-server.ts';
import { NO_SPEECH_SERVERS } from '../../server/parts/open-speech.ts';
import { createShippedVoice } from '../../speech/shipped/shipped-voice.ts';
import { checkBlobs, checkModels, checkSpeech } from './doctor-checks.ts';

const folder = await mkdtemp(join(tmpdir(), 'dialplane-doctor-'));
after(() => rm(folder, { recursive: true, force: true }));

test('a writable folder for audio is good, also before it exists', async () => {
  const finding = await checkBlobs({ blobs: { kind: 'folder', folder: join(folder, 'not', 'yet') } });
  assert.equal(finding.state, 'good');
  assert.match(finding.found, /not\/yet/);
});

test('a path that cannot be a folder is bad, and the setting is named', async () => {
  await writeFile(join(folder, 'file'), '');
  const finding = await checkBlobs({ blobs: { kind: 'folder', folder: join(folder, 'file', 'blobs') } });
  assert.equal(finding.state, 'bad');
  assert.match(finding.advice ?? '', /DIALPLANE_BLOBS/);
});

test('a bucket is good when an object can be put there, and bad with a wrong key', async () => {
  const s3 = await startS3();
  closeAfterTests(() => s3.stop());
  assert.equal((await checkBlobs({ blobs: { kind: 's3', ...s3.settings } })).state, 'good');
  const wrong = await checkBlobs({ blobs: { kind: 's3', ...s3.settings, secretAccessKey: 'hunter2' } });
  assert.equal(wrong.state, 'bad');
  assert.match(`${wrong.found} ${wrong.advice}`, /403.*S3_BUCKET/);
  assert.doesNotMatch(JSON.stringify(wrong), /hunter2/);
});

test('the finding on transcription of live calls names the server, not the key', () => {
  const none = checkModels({ speech: NO_SPEECH_SERVERS });
  assert.deepEqual(
    none.map(({ check, state }) => [check, state]),
    [
      ['live transcription', 'good'],
      ['live summaries', 'good'],
    ],
  );
  assert.match(none[0]?.found ?? '', /SPEECH_URL/);
  const server = { url: 'https://models.example/v1', key: 'hunter2', model: 'whisper-1', stream: false };
  const [heard] = checkModels({ speech: { ...NO_SPEECH_SERVERS, toText: server } });
  const live = { url: 'ws://10.0.0.7:2700', language: 'de' };
  const [, words] = checkModels({ speech: { ...NO_SPEECH_SERVERS, toText: server, live } });
  assert.deepEqual(words, {
    ...{ check: 'live words', state: 'good' },
    found: 'words in de while they are said, at 10.0.0.7:2700',
  });
  assert.deepEqual(heard, { check: 'live transcription', state: 'good', found: 'whisper-1 at models.example' });
});

test('a model server without TLS is noted, unless its address is private', () => {
  const stateOf = (url: string) =>
    checkModels({ speech: { ...NO_SPEECH_SERVERS, summary: { url, key: null, model: 'm', stream: false } } })[1]?.state;
  assert.equal(stateOf('http://models.example/v1'), 'note');
  assert.equal(stateOf('http://10.0.0.7:8000/v1'), 'good');
});

const ABSENT = '/nonexistent/espeak-ng';

test('a machine without espeak-ng speaks on test calls and on live calls', async () => {
  const findings = await checkSpeech({ speech: NO_SPEECH_SERVERS }, { command: ABSENT });
  const found = 'spoken in English by the included voice';
  assert.deepEqual(findings, [
    { check: 'speech', state: 'good', found },
    { check: 'live speech', state: 'good', found },
  ]);
});

test('an install without its voice works, and the findings say what is missing and what live calls lack', async () => {
  const shipped = createShippedVoice({ program: join(folder, 'no-such-file.wasm') });
  const [test, live] = await checkSpeech({ speech: NO_SPEECH_SERVERS }, { command: ABSENT, shipped });
  assert.deepEqual([test?.state, live?.state], ['note', 'note']);
  assert.match(test?.found ?? '', /tones/);
  assert.match(test?.advice ?? '', /npm ci.*no-such-file/);
  assert.match(live?.found ?? '', /gathers and recorded calls are refused/);
});

test('the finding on live speech names the voice server, not the key', async () => {
  const voice = { url: 'https://voices.example/v1', key: 'hunter2', model: 'tts-1', voice: 'alloy' };
  const [, live] = await checkSpeech({ speech: { ...NO_SPEECH_SERVERS, voice } }, { command: ABSENT });
  assert.deepEqual(live, { check: 'live speech', state: 'good', found: 'tts-1 at voices.example' });
});
