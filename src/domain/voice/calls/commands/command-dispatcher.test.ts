import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gate, silentLog, until } from '../../../../../test/support/jobs.ts';
import { createGuard } from '../../../../carriers/connections/guard.ts';
import type { VoicePort } from '../../../../carriers/ports/voice.ts';
import type { Context } from '../../../../context.ts';
import { createMetrics } from '../../../../lib/metrics.ts';
import { type AudioRoute, createCommandDispatcher } from './command-dispatcher.ts';

const ledger = { ledgerId: 1, accountId: 'acct_1', mode: 'test' } as const;
const instruction = { do: 'hang_up', legRef: 'leg_1', reason: 'ended' } as const;
const audio: AudioRoute = {
  route: async (_ledger, _port, asked) => asked,
  conclude: async (_ledger, _commands, result) => result,
};
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
  const dispatcher = createCommandDispatcher({ carriers, log: silentLog, audio }, { voice: () => undefined });
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

test('a text that takes long to speak is dispatched once it is spoken, and the carrier is not asked about it', async () => {
  const spoken = gate();
  const dispatched: string[] = [];
  const port: Partial<VoicePort> = {
    dispatch: async (_ledger, { commandRef }) => {
      dispatched.push(commandRef);
      return { outcome: 'accepted' };
    },
    findCommand: async () => assert.fail('the carrier cannot have it'),
  };
  const carriers = { voice: () => port } as unknown as Context['carriers'];
  const voice = { synthesize: () => spoken.opened.then(() => new Int16Array(160)) };
  const dispatcher = createCommandDispatcher(
    { carriers, log: silentLog, audio },
    { voice: () => voice, speechMsMax: 20 },
  );
  const speak = { do: 'speak', speechRef: 'call_1.1', legRefs: ['leg_1'], text: 'Hello', purpose: 'greeting' } as const;
  const slow = { ...command, instruction: speak };
  const outcome = async () =>
    (await dispatcher.dispatch({ ledger, connectionId: null, command: slow, unsure: false })).outcome;
  assert.equal(await outcome(), 'unavailable');
  await until('the dispatch has ended', () => !dispatcher.isPending(slow.commandRef));
  spoken.open();
  assert.equal(await outcome(), 'dispatched');
  assert.deepEqual(dispatched, [slow.commandRef]);
});
