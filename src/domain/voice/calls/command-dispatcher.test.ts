import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gate, silentLog } from '../../../../test/support/jobs.ts';
import type { VoicePort } from '../../../carriers/ports/voice.ts';
import type { Context } from '../../../context.ts';
import { createCommandDispatcher } from './command-dispatcher.ts';

const ledger = { ledgerId: 1, accountId: 'acct_1', mode: 'test' } as const;
const instruction = { do: 'hang_up', legRef: 'leg_1', reason: 'ended' } as const;
const command = { callRef: 'call_1', commandRef: 'call_1:1', instruction };

test('a command whose answer is late stays unknown while it may still reach the carrier, and is not sent twice', async () => {
  const answer = gate();
  let sent = 0;
  const port: Partial<VoicePort> = {
    dispatch: async () => {
      sent++;
      await answer.opened;
      return { outcome: 'accepted' };
    },
    findCommand: async () => ({ found: 'absent' }),
  };
  const carriers = { voice: () => port } as unknown as Context['carriers'];
  const dispatcher = createCommandDispatcher({ carriers, log: silentLog });
  // The dispatcher's timer does not keep the process alive.
  const awake = setInterval(() => undefined, 1_000);
  try {
    assert.deepEqual(await dispatcher.dispatch({ ledger, connectionId: null, command, unsure: false }), {
      outcome: 'unknown',
    });
    assert.ok(dispatcher.isPending(command.commandRef));
    const again = dispatcher.dispatch({ ledger, connectionId: null, command, unsure: true });
    answer.open();
    assert.deepEqual(await again, { outcome: 'dispatched' });
    assert.equal(sent, 1);
    assert.ok(!dispatcher.isPending(command.commandRef));
  } finally {
    clearInterval(awake);
  }
});
