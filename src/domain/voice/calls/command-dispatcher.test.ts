import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gate, silentLog } from '../../../../test/support/jobs.ts';
import type { VoicePort } from '../../../carriers/ports/voice.ts';
import type { Context } from '../../../context.ts';
import { createCommandDispatcher } from './command-dispatcher.ts';

const ledger = { ledgerId: 1, accountId: 'acct_1', mode: 'test' } as const;
const instruction = { do: 'hang_up', legRef: 'leg_1', reason: 'ended' } as const;
const command = { callRef: 'call_1', commandRef: 'call_1:1', instruction };

test('a command whose answer is late stays open as long as it may still reach the carrier, and is not given beside itself', async () => {
  const answer = gate();
  let given = 0;
  const port: Partial<VoicePort> = {
    dispatch: async () => {
      given++;
      await answer.opened;
      return { outcome: 'accepted' };
    },
    findCommand: async () => ({ found: 'absent' }),
  };
  const carriers = { voice: () => port } as unknown as Context['carriers'];
  const giver = createCommandDispatcher({ carriers, log: silentLog });
  // The patience of the giver keeps no process alive.
  const awake = setInterval(() => undefined, 1_000);
  try {
    assert.deepEqual(await giver.give({ ledger, command, unsure: false }), { is: 'open' });
    assert.ok(giver.isUnderWay(command.commandRef));
    const again = giver.give({ ledger, command, unsure: true });
    answer.open();
    assert.deepEqual(await again, { is: 'done' });
    assert.equal(given, 1);
    assert.ok(!giver.isUnderWay(command.commandRef));
  } finally {
    clearInterval(awake);
  }
});
