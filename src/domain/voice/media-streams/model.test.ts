/** Tests every status of a stream with every input. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testLedger } from '../../../../test/support/events.ts';
import { sql } from '../../../../test/support/jobs.ts';
import { makeLine } from '../../../../test/support/numbers.ts';
import { startStream } from '../../../../test/support/streams.ts';
import { place, useScriptedLine } from '../../../../test/support/voice.ts';
import { canMove } from '../../../lib/machine.ts';
import { today } from '../../../lib/time/time.ts';
import { STREAM_STOP_REASONS } from '../calls/state/call.ts';
import { activateStream, endStream } from './queries.ts';
import { endOf, STREAM_STATUSES, type StreamStatus } from './rules.ts';

/** The expected table, written independently of the tested one. */
const ARROWS: Record<StreamStatus, readonly StreamStatus[]> = {
  starting: ['active', 'stopped', 'failed'],
  active: ['stopped', 'failed'],
  stopped: [],
  failed: [],
};

const STARTED_AT = today();

const { harness } = await useScriptedLine();

async function make(status: StreamStatus): Promise<string> {
  const { number } = await makeLine(harness);
  const { id: callId } = await place(harness, number.id);
  await sql(harness.context.db, `update calls set state = jsonb_set(state, '{status}', '"ringing"') where id = $1`, [
    callId,
  ]);
  const { id } = await startStream(harness, callId);
  const started = status === 'active' ? `, started_at = '${STARTED_AT.toISOString()}'` : '';
  await sql(harness.context.db, `update media_streams set status = $2${started} where id = $1`, [id, status]);
  return id;
}

async function statusOf(id: string): Promise<string> {
  const [row] = await sql<{ status: string }>(harness.context.db, 'select status from media_streams where id = $1', [
    id,
  ]);
  return row?.status ?? 'gone';
}

for (const status of STREAM_STATUSES) {
  test(`a client connects to a stream that is ${status}`, async () => {
    const id = await make(status);
    const { db } = harness.context;
    const ledgerId = await testLedger(harness);
    const moved = await db.transaction((tx) => activateStream(tx, { ledgerId }, { id, at: today() }));
    const may = canMove(ARROWS, status, 'active');
    assert.equal(moved !== undefined, may);
    assert.equal(await statusOf(id), may ? 'active' : status);
  });

  for (const reason of STREAM_STOP_REASONS) {
    test(`${reason} ends a stream that is ${status}`, async () => {
      const id = await make(status);
      const { db } = harness.context;
      const ledgerId = await testLedger(harness);
      const ending = { id, at: new Date(STARTED_AT.getTime() + 700), reason, lateMs: 200 };
      const ended = await db.transaction((tx) => endStream(tx, { ledgerId }, ending));
      const may = canMove(ARROWS, status, endOf(reason));
      assert.equal(await statusOf(id), may ? endOf(reason) : status);
      assert.equal(ended?.billed_ms, may ? (status === 'active' ? 500 : 0) : undefined);
    });
  }
}
