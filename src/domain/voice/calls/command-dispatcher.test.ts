import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gate, silentLog, until } from '../../../../test/support/jobs.ts';
import { createGuard } from '../../../carriers/connections/guard.ts';
import type { VoicePort } from '../../../carriers/ports/voice.ts';
import type { Context } from '../../../context.ts';
import { createMetrics } from '../../../lib/metrics.ts';
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
  const settings = { requestMsMax: 20 };
  const guard = createGuard({ connection: 'test', log: silentLog, metrics: createMetrics(), settings });
  const carriers = { voice: () => guard.wrap(port, 'voice') } as unknown as Context['carriers'];
  const dispatcher = createCommandDispatcher({ carriers, log: silentLog });
  for (const unsure of [false, true]) {
    assert.deepEqual(await dispatcher.dispatch({ ledger, connectionId: null, command, unsure }), {
      outcome: 'unknown',
    });
    assert.ok(dispatcher.isPending(command.commandRef));
  }
  assert.equal(sent, 1);
  answer.open();
  await until('the request has ended', () => !dispatcher.isPending(command.commandRef));
  assert.deepEqual(await dispatcher.dispatch({ ledger, connectionId: null, command, unsure: true }), {
    outcome: 'dispatched',
  });
  assert.equal(sent, 2);
});
