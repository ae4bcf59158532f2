/** A carrier that hangs delays only the calls that it hangs on. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withPort } from '../../../../../test/support/carrier-ports.ts';
import { gate, until } from '../../../../../test/support/jobs.ts';
import { useLine } from '../../../../../test/support/numbers.ts';
import { place } from '../../../../../test/support/voice.ts';
import type { VoicePort } from '../../../../carriers/ports/voice.ts';

/** More calls than a process works on at a time. */
const HUNG = 60;

const { harness, number } = await useLine();

test('while the commands of 60 calls hang, those of another call of the ledger are dispatched', async () => {
  const reply = gate();
  const hung = new Set<string>();
  const dispatched = new Set<string>();
  let isHolding = true;
  const holding = (real: VoicePort): VoicePort => ({
    ...real,
    dispatch: async (ledger, command) => {
      if (isHolding) hung.add(command.callRef);
      if (hung.has(command.callRef)) await reply.opened;
      else dispatched.add(command.callRef);
      return await real.dispatch(ledger, command);
    },
  });
  await withPort(harness, 'voice', holding, async () => {
    const calls: string[] = [];
    for (let n = 0; n < HUNG; n++) calls.push((await place(harness, number.id)).id);
    await until('all of them hang', () => hung.size === HUNG);
    isHolding = false;
    const { id } = await place(harness, number.id);
    await until('the other call is dialled', () => dispatched.has(id));
    assert.deepEqual([...hung].sort(), calls.sort());
    reply.open();
    for (const call of [...calls, id]) await harness.call('POST', `/v1/calls/${call}/hangup`);
  });
});
