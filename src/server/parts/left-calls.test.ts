import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { testLedger } from '../../../test/support/events.ts';
import { keepNode } from '../../../test/support/gateway-nodes.ts';
import { type Harness, startHarness } from '../../../test/support/harness.ts';
import { makeLine } from '../../../test/support/numbers.ts';
import { talk } from '../../../test/support/recordings.ts';
import { chooseNodeNow } from '../../domain/voice/index.ts';
import { createCallAudios } from '../../gateway/media/call-audios.ts';
import { createTicker } from '../../gateway/media/ticker.ts';
import { closeLeftCalls } from './left-calls.ts';

let harness: Harness;
before(async () => {
  harness = await startHarness({ startWorkers: false, serveMedia: false });
});
after(() => harness.close());

test('a gateway that missed the message closes the audio of calls that have left it, and of no others', async () => {
  const { context } = harness;
  const see = (nodeId: string, isDraining: boolean) => keepNode(context.db, nodeId, isDraining);
  const ledgerId = await testLedger(harness);
  const onError = (error: unknown) => assert.fail(String(error));
  const ticker = createTicker({ onError });
  const audios = createCallAudios({ ticker, populate: async () => () => undefined, onError });
  const ended: string[] = [];
  const join = async () => {
    const { id: callId } = await talk(harness, await makeLine(harness));
    assert.equal(await chooseNodeNow(context.db, { ledgerId }, { callId }), 'one');
    const { audio, release } = await audios.acquire({ ledgerId, callId });
    audio.addSink({
      write: () => undefined,
      end: (reason) => {
        ended.push(`${callId} ${reason}`);
        release();
      },
    });
    return callId;
  };
  await see('one', false);
  const [leaves, stays] = [await join(), await join()];
  const missesAll = { ...context, bus: { ...context.bus, subscribe: () => undefined } };
  const closeLeft = closeLeftCalls(missesAll, 'one', audios);
  await see('another', false);
  await see('one', true);
  await closeLeft();
  assert.deepEqual(ended, []);
  await chooseNodeNow(context.db, { ledgerId }, { callId: leaves });
  await closeLeft();
  assert.deepEqual(ended, [`${leaves} carrier_error`]);
  assert.deepEqual(audios.calls, [{ ledgerId, callId: stays }]);
  ticker.stop();
});
