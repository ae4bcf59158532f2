import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { test } from 'node:test';
import { closeAfterTests } from '../../../../test/support/close-after-tests.ts';
import { startHttpTarget } from '../../../../test/support/http-target.ts';
import { silentLog, useJobsDatabase } from '../../../../test/support/jobs.ts';
import { addConnection } from '../../../../test/support/live-network.ts';
import { toneFile } from '../../../../test/support/wav-file.ts';
import { createCipher } from '../../../lib/cipher.ts';
import { createClient } from '../client.ts';
import { createMediaFetcher } from '../media.ts';
import { endRecording, openRecording } from './recording-queries.ts';
import { fetchRecording } from './recordings.ts';
import type { VoiceLine } from './voice-line.ts';

const { db, ledgerId } = await useJobsDatabase();
const cipher = createCipher('a secret that is only good for tests');
const connectionId = await addConnection({ db, cipher }, { kind: 'telnyx', capabilities: [] });

const FILE = toneFile(440, 1, { bits: 16 });
const STARTED = new Date('2026-11-20T12:00:00Z');

/** Telnyx: its list of recordings names `/new`, and each path has an answer of its own. */
const answers = new Map<string, (response: ServerResponse) => void>();
const telnyx = await startHttpTarget((request, response) => {
  const path = request.url ?? '';
  if (!path.startsWith('/v2/recordings')) return answers.get(path)?.(response);
  const one = {
    recording_started_at: STARTED.toISOString(),
    duration_millis: 1_000,
    download_urls: { wav: `${telnyx.origin}/new` },
  };
  response.setHeader('content-type', 'application/json').end(JSON.stringify({ data: [one] }));
});
closeAfterTests(() => telnyx.close());

const client = createClient({ url: `${telnyx.origin}/v2`, key: 'KEY', connection: connectionId, log: silentLog });
closeAfterTests(() => client.close());
const media = createMediaFetcher({ allowLoopback: true });
closeAfterTests(() => media.close());

/** What recordings need of a line. Its files may be as long as FILE. */
const line: Partial<VoiceLine> = {
  ...{ db, client, connectionId },
  fetchFile: async (address: string) => {
    const file = await media.fetchMedia(address, FILE.length);
    return typeof file === 'string' ? file : file.bytes;
  },
};

let recordings = 0;

/** Fetches a recording whose report has just come with the address `/reported`. Returns the paths asked for. */
async function fetchOne(answerOf: { reported: (response: ServerResponse) => void; new?: Buffer }) {
  const name = { ledgerId, connectionId, recordingRef: `rec_${recordings++}` };
  answers.set('/reported', answerOf.reported);
  answers.set('/new', (response) => response.end(answerOf.new));
  await openRecording(db, name, { callRef: 'call_1', legRef: 'leg_1', callLegId: 'leg-at-telnyx' });
  await endRecording(db, name, { durationMs: 1_000, startedAt: STARTED, link: `${telnyx.origin}/reported` });
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

test('a recording that is too long is given up at once: its file is not fetched again', async () => {
  const tooLong = Buffer.concat([FILE, Buffer.alloc(1)]);
  const { file, paths } = await fetchOne({ reported: (response) => response.end(tooLong), new: tooLong });
  assert.deepEqual([file, paths], [undefined, ['/reported']]);
  const anew = await fetchOne({ reported: (response) => response.writeHead(404).end(), new: tooLong });
  assert.deepEqual([anew.file, anew.paths], [undefined, ['/reported', '/v2/recordings', '/new']]);
});
