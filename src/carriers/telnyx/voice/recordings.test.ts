import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { test } from 'node:test';
import { closeAfterTests } from '../../../../test/support/close-after-tests.ts';
import { startHttpTarget } from '../../../../test/support/http-target.ts';
import { silentLog, useJobsDatabase } from '../../../../test/support/jobs.ts';
import { addConnection } from '../../../../test/support/live-network.ts';
import { toneFile } from '../../../../test/support/wav-file.ts';
import { createCipher } from '../../../lib/crypto/cipher.ts';
import { createClient } from '../client/client.ts';
import { createMediaFetcher } from '../client/media.ts';
import { endRecording, findReportedRecording, openRecording } from './recording-queries.ts';
import { fetchRecording } from './recordings.ts';
import type { VoiceLine } from './voice-line.ts';

const { db, ledgerId } = await useJobsDatabase();
const cipher = createCipher('a secret that is only good for tests');
const connectionId = await addConnection({ db, cipher }, { kind: 'telnyx', capabilities: [] });

const FILE = toneFile(440, 1, { bits: 16 });
const STARTED = new Date('2026-11-20T12:00:00Z');

const RECORDING_ID = 'recording-at-telnyx';

/** The fake Telnyx's answers by path. A recording, and the list of recordings, have the audio address `/new`. */
const answers = new Map<string, (response: ServerResponse) => void>();
const telnyx = await startHttpTarget((request, response) => {
  const path = request.url ?? '';
  if (!path.startsWith('/v2/recordings')) return answers.get(path)?.(response);
  const one = {
    id: RECORDING_ID,
    recording_started_at: STARTED.toISOString(),
    duration_millis: 1_000,
    download_urls: { wav: `${telnyx.origin}/new` },
  };
  response
    .setHeader('content-type', 'application/json')
    .end(JSON.stringify({ data: path.endsWith(RECORDING_ID) ? one : [one] }));
});
closeAfterTests(() => telnyx.close());

const client = createClient({ url: `${telnyx.origin}/v2`, key: 'KEY', connection: connectionId, log: silentLog });
closeAfterTests(() => client.close());
const media = createMediaFetcher({ allowLoopback: true });
closeAfterTests(() => media.close());

/** The parts of a line that recordings need. A file may be at most as long as FILE. */
const line: Partial<VoiceLine> = {
  ...{ db, client, connectionId },
  fetchFile: async (address: string) => {
    const file = await media.fetchMedia(address, FILE.length);
    return typeof file === 'string' ? file : file.bytes;
  },
};

let recordings = 0;

/** Fetches a recording. Its report has just arrived with the address `/reported`. Returns the requested paths. */
async function fetchOne(answerOf: { reported: (response: ServerResponse) => void; new?: Buffer; carrierId?: string }) {
  const name = { ledgerId, connectionId, recordingRef: `rec_${recordings++}` };
  answers.set('/reported', answerOf.reported);
  answers.set('/new', (response) => response.end(answerOf.new));
  await openRecording(db, name, { callRef: 'call_1', legRef: 'leg_1', callLegId: 'leg-at-telnyx' });
  await endRecording(db, name, {
    ...{ carrierId: answerOf.carrierId ?? null, durationMs: 1_000, startedAt: STARTED },
    link: `${telnyx.origin}/reported`,
  });
  telnyx.requests.length = 0;
  const file = await fetchRecording(
    line as VoiceLine,
    { ledgerId, accountId: 'acct_1', mode: 'live' },
    name.recordingRef,
  );
  return { file, paths: telnyx.requests.map(({ path }) => path?.split('?')[0]) };
}

test('the address of the report is enough while it works', async () => {
  const { file, paths } = await fetchOne({ reported: (response) => response.end(FILE) });
  assert.deepEqual([file?.length, paths], [FILE.length, ['/reported']]);
});

for (const status of [403, 404, 410]) {
  test(`a new address is asked for when that of the report is answered with ${status}`, async () => {
    const { file, paths } = await fetchOne({ reported: (response) => response.writeHead(status).end(), new: FILE });
    assert.deepEqual([file?.length, paths], [FILE.length, ['/reported', '/v2/recordings', '/new']]);
  });
}

test('a recording that was reported with its id is asked for by it', async () => {
  const reported = (response: ServerResponse) => response.writeHead(404).end();
  const { file, paths } = await fetchOne({ reported, new: FILE, carrierId: RECORDING_ID });
  assert.deepEqual([file?.length, paths], [FILE.length, ['/reported', `/v2/recordings/${RECORDING_ID}`, '/new']]);
});

test('a report is about the oldest recording of its leg that runs, and about the same one when it comes again', async () => {
  const ofLeg = { callRef: 'call_2', legRef: 'leg_2', callLegId: 'recorded-twice' };
  const [first, second] = ['rec_first', 'rec_second'].map((recordingRef) => ({ ledgerId, connectionId, recordingRef }));
  assert.ok(first && second);
  for (const name of [first, second]) await openRecording(db, name, ofLeg);
  const find = (carrierId: string | null) => findReportedRecording(db, connectionId, { ...ofLeg, carrierId });
  assert.equal(await find('at-telnyx-1'), first.recordingRef);
  await endRecording(db, first, { carrierId: 'at-telnyx-1', durationMs: 1_000, startedAt: STARTED, link: null });
  assert.equal(await find('at-telnyx-1'), first.recordingRef);
  assert.equal(await find('at-telnyx-2'), second.recordingRef);
  assert.equal(await find(null), second.recordingRef);
  await endRecording(db, second, { carrierId: 'at-telnyx-2', durationMs: 1_000, startedAt: STARTED, link: null });
  assert.deepEqual([await find('at-telnyx-1'), await find('at-telnyx-2')], ['rec_first', 'rec_second']);
  assert.equal(await find('at-telnyx-3'), undefined);
});

test('a recording that is too long is given up at once: its file is not fetched again', async () => {
  const tooLong = Buffer.concat([FILE, Buffer.alloc(1)]);
  const { file, paths } = await fetchOne({ reported: (response) => response.end(tooLong), new: tooLong });
  assert.deepEqual([file, paths], [undefined, ['/reported']]);
  const anew = await fetchOne({ reported: (response) => response.writeHead(404).end(), new: tooLong });
  assert.deepEqual([anew.file, anew.paths], [undefined, ['/reported', '/v2/recordings', '/new']]);
});
