import assert from 'node:assert/strict';
import { afterEach, describe, test } from 'node:test';
import { logOf } from '../../../../test/support/calls.ts';
import { listEvents, testLedger } from '../../../../test/support/events.ts';
import { failCommits, failStatements } from '../../../../test/support/failing-commits.ts';
import { startHarness } from '../../../../test/support/harness.ts';
import { sql } from '../../../../test/support/jobs.ts';
import { read } from '../../../../test/support/messages.ts';
import { makeLine, useLine } from '../../../../test/support/numbers.ts';
import { leaveMessage, listen, talk } from '../../../../test/support/recordings.ts';
import type { Carriers } from '../../../carriers/ports/carrier.ts';
import type { VoicePort } from '../../../carriers/ports/voice.ts';
import type { Database } from '../../../db/database.ts';
import { emptyLedger } from '../../../db/ledger-tables.ts';
import { ApiError } from '../../../lib/errors/errors.ts';

const { harness, line } = await useLine({ startWorkers: false });
const undo: (() => void)[] = [];
afterEach(() => {
  for (const step of undo.splice(0)) step();
});

function killBefore(statementName: string, times = 2): { failed: number } {
  const mutable = harness.context.db as { transaction: Database['transaction'] };
  const { transaction } = mutable;
  undo.push(() => {
    mutable.transaction = transaction;
  });
  return failCommits(harness.context.db, statementName, times);
}

/** Replaces parts of the carrier until the test is over. */
function withVoice(change: Partial<VoicePort>): void {
  const carriers = harness.context.carriers as { -readonly [Name in 'voice']: Carriers[Name] };
  const { voice } = carriers;
  carriers.voice = (...of) => ({ ...voice(...of), ...change });
  undo.push(() => {
    carriers.voice = voice;
  });
}

const typesOf = async (resourceId: string) => (await listEvents(harness, resourceId)).map(({ type }) => type);

async function countOf(table: 'recordings' | 'voicemails' | 'jobs', callId: string): Promise<number> {
  const of = table === 'jobs' ? `payload ->> 'callId'` : 'call_id';
  const [row] = await sql<{ count: number }>(
    harness.context.db,
    `select count(*)::int as count from ${table} where ${of} = $1`,
    [callId],
  );
  return row?.count ?? 0;
}

describe('a crash after the audio is stored', () => {
  for (const [when, times] of [
    ['before', 2],
    ['after', 1],
  ] as const) {
    test(`and ${when} its rows are leaves one recording and one event`, async () => {
      const killed = failStatements(harness.context.db, 'recordings_keep', { times, when });
      undo.push(killed.stop);
      const { id } = await talk(harness, line, { record: true });
      await harness.advance(60);
      assert.equal(killed.failed, times);
      const { recording_id } = await read(harness, `/calls/${id}`);
      assert.deepEqual(await typesOf(recording_id), ['recording.created']);
      assert.deepEqual([await countOf('recordings', id), await countOf('jobs', id)], [1, 0]);
      assert.ok((await listen(harness, `/v1/recordings/${recording_id}/audio`)).length > 0);
    });
  }

  test('and before its rows are leaves one voicemail, one entry in the log and one event', async () => {
    const killed = killBefore('voicemails_insert');
    const call = await leaveMessage(harness, line);
    await harness.advance(60);
    assert.equal(killed.failed, 2);
    const { voicemail_id, ...rest } = await read(harness, `/calls/${call.id}`);
    assert.deepEqual(await typesOf(voicemail_id), ['voicemail.created']);
    assert.equal(logOf(rest).filter((type) => type === 'voicemail_saved').length, 1);
    assert.deepEqual([await countOf('voicemails', call.id), await countOf('recordings', call.id)], [1, 1]);
  });
});

describe('a crash during the transcription', () => {
  test('leaves each segment and each event once, and one summary', async () => {
    const killed = killBefore('call_utterances_move', 3);
    const { id } = await talk(harness, line, { transcribe: true });
    await harness.advance(60);
    assert.equal(killed.failed, 3);
    const { segments } = await read(harness, `/calls/${id}/transcript`);
    assert.equal(segments.length, 2);
    const types = await typesOf(id);
    assert.equal(types.filter((type) => type === 'call.transcript').length, 2);
    assert.equal(types.filter((type) => type === 'call.summary').length, 1);
  });

  test('leaves one summary', async () => {
    const killed = killBefore('calls_summarize');
    const { id } = await talk(harness, line, { transcribe: true });
    await harness.advance(60);
    assert.equal(killed.failed, 2);
    assert.equal((await typesOf(id)).filter((type) => type === 'call.summary').length, 1);
    assert.equal(await countOf('jobs', id), 0);
  });
});

describe('audio', () => {
  test('that the carrier cannot return yet is fetched later', async () => {
    let asked = 0;
    const { fetchRecording } = harness.context.carriers.voice({ ledgerId: 0, accountId: '', mode: 'test' }, null);
    withVoice({
      fetchRecording: async (ledger, ref) => {
        if (++asked < 3) throw new ApiError('carrier_unavailable');
        return fetchRecording(ledger, ref);
      },
    });
    const { id } = await talk(harness, line, { record: true });
    await harness.advance(60);
    const { recording_id } = await read(harness, `/calls/${id}`);
    assert.deepEqual(await typesOf(recording_id), ['recording.created']);
    assert.equal(asked, 3);
  });

  test('that the carrier does not have is only logged', async () => {
    withVoice({ fetchRecording: async () => undefined });
    const { id } = await talk(harness, line, { record: true });
    await harness.advance(60);
    const call = await read(harness, `/calls/${id}`);
    assert.equal(call.recording_id, null);
    const { type, detail } = call.events.at(-1);
    assert.deepEqual([type, detail.failed, detail.reason], ['failed', 'recording', 'no_audio']);
    assert.deepEqual([await countOf('recordings', id), await countOf('jobs', id)], [0, 0]);
  });

  test('has its event only once it can be fetched', async () => {
    const { blobs } = harness.context;
    const mutable = blobs as { put: typeof blobs.put };
    const { put } = blobs;
    let mayPut = false;
    mutable.put = async (...args) => {
      if (!mayPut) throw new Error('the store is unavailable');
      await put(...args);
    };
    undo.push(() => {
      mutable.put = put;
    });
    const call = await leaveMessage(harness, line);
    assert.equal(call.voicemail_id, null);
    assert.equal(await countOf('voicemails', call.id), 0);
    mayPut = true;
    await harness.advance(300);
    const { voicemail_id } = await read(harness, `/calls/${call.id}`);
    assert.deepEqual(await typesOf(voicemail_id), ['voicemail.created']);
  });
});

test('audio that is stored just as its ledger is emptied is removed', async () => {
  const own = await startHarness({ startWorkers: false });
  try {
    const { db, blobs } = own.context;
    const stored: string[] = [];
    const mutable = blobs as { put: typeof blobs.put };
    const { put } = blobs;
    mutable.put = async (key, ...rest) => {
      stored.push(key);
      await put(key, ...rest);
      const ledgerId = await testLedger(own);
      await db.transaction((tx) => emptyLedger(tx, ledgerId));
    };
    await talk(own, await makeLine(own), { record: true });
    await own.advance(60);
    assert.equal(stored.length, 1);
    assert.equal(await blobs.size(stored[0] as string), undefined);
  } finally {
    await own.close();
  }
});
