import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addConnectionNumber } from '../../../test/support/connection-numbers.ts';
import { sql, useJobsDatabase } from '../../../test/support/jobs.ts';
import { filterLiveNumbers, findNumberOwner } from './owner-queries.ts';

const { db, ledgerId } = await useJobsDatabase();
const [ours, theirs] = ['+13035550101', '+13035550102'] as const;
await addConnectionNumber(db, { ledgerId, phoneNumber: ours, connectionId: 'ccn_ours' });
await addConnectionNumber(db, { ledgerId, phoneNumber: theirs, connectionId: 'ccn_theirs' });

test('a number has an owner for the connections of its texts, calls and order alone', async () => {
  assert.equal((await findNumberOwner(db, 'ccn_ours', ours))?.ledgerId, ledgerId);
  assert.equal(await findNumberOwner(db, 'ccn_theirs', ours), undefined);
  for (const column of ['connection_id', 'voice_connection_id', 'messaging_connection_id']) {
    await sql(db, `update phone_numbers set ${column} = 'ccn_theirs' where phone_number = $1`, [ours]);
    assert.equal((await findNumberOwner(db, 'ccn_theirs', ours))?.ledgerId, ledgerId, column);
    await sql(db, `update phone_numbers set ${column} = 'ccn_ours' where phone_number = $1`, [ours]);
  }
});

test('of the numbers of an account those of its connection are known', async () => {
  assert.deepEqual([...(await filterLiveNumbers(db, 'ccn_ours', [ours, theirs, '+13035550103']))], [ours]);
});
