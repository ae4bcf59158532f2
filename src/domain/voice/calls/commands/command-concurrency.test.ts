import assert from 'node:assert/strict';
import { test } from 'node:test';
import { callIn, logOf, playParty, readCall, ringing, route } from '../../../../../test/support/calls.ts';
import { withPort } from '../../../../../test/support/carrier-ports.ts';
import { useHarness } from '../../../../../test/support/harness.ts';
import { gate, sql, until } from '../../../../../test/support/jobs.ts';
import { makeLine } from '../../../../../test/support/numbers.ts';
import type { VoiceInstruction, VoicePort } from '../../../../carriers/ports/voice.ts';

const harness = await useHarness();

const TARGETS = Array.from({ length: 8 }, (_, index) => `+1602555018${index}`);
/** The targets ring until a test answers one. */
const PATIENT = 'wait 60, answer';

/**
 * A wire that holds its requests or its replies until a test releases them. Requests that it holds at the same time are
 * released together.
 */
function createWire(held: 'requests' | 'replies', holds: (instruction: VoiceInstruction) => boolean = () => true) {
  let waiting: { readonly instruction: VoiceInstruction; readonly open: () => void }[] = [];
  const pass = async (instruction: VoiceInstruction) => {
    if (!holds(instruction)) return;
    const { opened, open } = gate();
    waiting.push({ instruction, open });
    await opened;
  };
  const wrap = (port: VoicePort): VoicePort => ({
    ...port,
    dispatch: async (ledger, command) => {
      if (held === 'requests') await pass(command.instruction);
      const answer = await port.dispatch(ledger, command);
      if (held === 'replies') await pass(command.instruction);
      return answer;
    },
  });
  return {
    wrap,
    waiting: () => waiting.map(({ instruction }) => instruction),
    /** Releases the waiting requests, except the given instructions. */
    release: (isKept: (instruction: VoiceInstruction) => boolean = () => false) => {
      const released = waiting.filter(({ instruction }) => !isKept(instruction));
      waiting = waiting.filter(({ instruction }) => isKept(instruction));
      for (const { open } of released) open();
    },
  };
}

/** Rings eight targets. Resolves once the wire holds all their dials. */
async function ringEight(wire: ReturnType<typeof createWire>): Promise<string> {
  const line = await makeLine(harness);
  await route(harness, line, { open_behavior: ringing(TARGETS, { timeout_seconds: 30 }) });
  const { id } = await callIn(harness, line, { script: PATIENT });
  await untilWaiting(wire, Array<string>(8).fill('dial'));
  return id;
}

const untilWaiting = (wire: ReturnType<typeof createWire>, names: readonly string[]) =>
  until(`the wire holds ${names.join(', ')}`, () => {
    return (
      wire
        .waiting()
        .map((instruction) => instruction.do)
        .join() === names.join()
    );
  });

const untilRinging = (id: string, count: number) =>
  until(`${count} targets ring`, async () => {
    return logOf(await readCall(harness, id)).filter((type) => type === 'target_ringing').length === count;
  });

const untilBridged = (id: string) =>
  until('the parties are bridged', async () => logOf(await readCall(harness, id)).includes('bridged'));

const untilNoLegIsLeft = (id: string) =>
  until('every leg has ended', async () => {
    const text = `select 1 from simulated_legs where call_ref = $1 and state <> 'ended'`;
    return (await sql(harness.context.db, text, [id])).length === 0;
  });

test('eight targets are dialled at once, and the winner is bridged two round trips after its answer', async () => {
  const wire = createWire('requests');
  await withPort(harness, 'voice', wire.wrap, async () => {
    const id = await ringEight(wire);
    wire.release();
    await untilRinging(id, 8);
    await playParty(harness, id, 'answer', { target: TARGETS[3] });
    await untilWaiting(wire, ['answer']);
    assert.equal((await readCall(harness, id)).status, 'ringing');
    wire.release();
    await untilWaiting(wire, ['bridge', ...Array<string>(7).fill('hang_up')]);
    wire.release();
    await untilBridged(id);
    const call = await readCall(harness, id);
    assert.deepEqual([call.status, call.answered_by], ['in_progress', TARGETS[3]]);
    const over = await harness.call('POST', `/v1/calls/${id}/hangup`);
    assert.equal(over.status, 200);
    await untilWaiting(wire, ['hang_up', 'hang_up']);
    wire.release();
    await untilNoLegIsLeft(id);
  });
});

test('a dial that hangs delays neither the answer nor the bridge of another target, and its hang-up follows it', async () => {
  const wire = createWire('requests');
  const isLast = (instruction: VoiceInstruction) => instruction.do === 'dial' && instruction.to === TARGETS[7];
  await withPort(harness, 'voice', wire.wrap, async () => {
    const id = await ringEight(wire);
    wire.release(isLast);
    await untilRinging(id, 7);
    await playParty(harness, id, 'answer', { target: TARGETS[0] });
    await untilWaiting(wire, ['dial', 'answer']);
    wire.release(isLast);
    await untilWaiting(wire, ['dial', 'bridge', ...Array<string>(6).fill('hang_up')]);
    wire.release(isLast);
    await untilBridged(id);
    wire.release();
    await untilWaiting(wire, ['hang_up']);
    wire.release();
    await harness.call('POST', `/v1/calls/${id}/hangup`);
    await untilWaiting(wire, ['hang_up', 'hang_up']);
    wire.release();
    await untilNoLegIsLeft(id);
  });
});

test('the bridge does not wait for a late reply to the answer that the carrier has reported', async () => {
  const wire = createWire('replies', (instruction) => instruction.do === 'answer');
  await withPort(harness, 'voice', wire.wrap, async () => {
    const line = await makeLine(harness);
    await route(harness, line, { open_behavior: ringing(TARGETS.slice(0, 2)) });
    const { id } = await callIn(harness, line);
    await untilBridged(id);
    assert.deepEqual(
      wire.waiting().map((instruction) => instruction.do),
      ['answer'],
    );
    wire.release();
    await harness.call('POST', `/v1/calls/${id}/hangup`);
    await untilNoLegIsLeft(id);
  });
});
