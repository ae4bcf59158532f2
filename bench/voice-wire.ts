/**
 * Measures ring groups over a carrier with round trips: the time until the last target is dialled, and the time from a
 * target's answer to its bridge. Replies and reports of the simulated carrier come one round trip after the request.
 *
 *   --calls N   calls, one after another      --ms M   round trip      --targets T   targets of a call
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type { VoiceInstruction, VoicePort } from '../src/carriers/ports/voice.ts';
import { createCaller } from '../test/support/caller.ts';
import { withPort } from '../test/support/carrier-ports.ts';
import { buyNumber, expectBody, person } from './support/numbers.ts';
import { median, percentile, startBenchPostgres } from './support/postgres.ts';
import { load } from './support/processes.ts';
import { startBenchProduct } from './support/product.ts';

const { values } = parseArgs({
  options: {
    calls: { type: 'string', default: '30' },
    ms: { type: 'string', default: '150' },
    targets: { type: 'string', default: '8' },
  },
});
const CALLS = Number(values.calls);
const ROUND_TRIP_MS = Number(values.ms);
const TARGETS = Array.from({ length: Number(values.targets) }, (_, index) => `+160255501${40 + index}`);

/**
 * The times of commands, by the clock of `performance`: when each was sent, and when the carrier had carried it out.
 */
type Moments = { readonly sent: Map<string, number[]>; readonly done: Map<string, number[]> };

function note(moments: Map<string, number[]>, { do: name }: VoiceInstruction): void {
  moments.set(name, [...(moments.get(name) ?? []), performance.now()]);
}

function delayed(port: VoicePort, moments: () => Moments): VoicePort {
  return {
    ...port,
    dispatch: async (ledger, command) => {
      note(moments().sent, command.instruction);
      await sleep(ROUND_TRIP_MS);
      const answer = await port.dispatch(ledger, command);
      note(moments().done, command.instruction);
      return answer;
    },
  };
}

const show = (name: string, values: readonly number[]) => {
  const sorted = [...values].sort((a, b) => a - b);
  console.log(
    `${name.padEnd(32)} median ${median(sorted).toFixed(0)} ms, p90 ${percentile(sorted, 0.9).toFixed(0)} ms`,
  );
};

const postgres = await startBenchPostgres();
const { product, accounts, url } = await startBenchProduct(postgres.url, { names: ['One'], work: true });
const call = createCaller(url, accounts[0]?.test_key as string);
let moments: Moments = { sent: new Map(), done: new Map() };
const [dialled, bridged]: [number[], number[]] = [[], []];
/** The time from an answer to the bridge, split into its parts. */
const parts: Record<string, number[]> = {};

function notePart(name: string, fromMs: number, toMs: number): void {
  parts[name] = [...(parts[name] ?? []), toMs - fromMs];
}
try {
  const {
    tenant_id,
    phone_number: to,
    id: numberId,
  } = await expectBody(call('GET', `/v1/phone_numbers/${await buyNumber(call)}`));
  const ring = { type: 'ring', targets: TARGETS, strategy: 'simultaneous', timeout_seconds: 30 };
  const config = { tenant_id, name: 'Group', open_behavior: ring };
  const { id: routing_config_id } = await expectBody(call('POST', '/v1/routing_configs', { body: config }));
  await expectBody(call('PATCH', `/v1/phone_numbers/${numberId}`, { body: { routing_config_id } }));
  await withPort(
    product,
    'voice',
    (port) => delayed(port, () => moments),
    async () => {
      for (let index = 0; index < CALLS; index++) {
        moments = { sent: new Map(), done: new Map() };
        const body = { from: person(), to, script: 'wait 60, answer' };
        const { id } = await expectBody(call('POST', '/v1/test/inbound_calls', { body }));
        while ((moments.done.get('dial')?.length ?? 0) < TARGETS.length) await sleep(5);
        await sleep(600);
        const answeredAt = performance.now();
        const target = TARGETS[index % TARGETS.length];
        await expectBody(call('POST', `/v1/test/calls/${id}/answer`, { body: { target } }));
        while (!moments.done.has('bridge')) await sleep(5);
        const dials = moments.sent.get('dial') as number[];
        dialled.push((dials.at(-1) as number) - (dials[0] as number));
        const [sent, done] = [moments.sent, moments.done];
        const at = (of: typeof sent, name: string) => of.get(name)?.[0] as number;
        bridged.push(at(done, 'bridge') - answeredAt);
        notePart('  until answer is commanded', answeredAt, at(sent, 'answer'));
        notePart('  answer, the command', at(sent, 'answer'), at(done, 'answer'));
        notePart('  until bridge is commanded', at(done, 'answer'), at(sent, 'bridge'));
        notePart('  bridge, the command', at(sent, 'bridge'), at(done, 'bridge'));
        await expectBody(call('POST', `/v1/calls/${id}/hangup`));
      }
    },
  );
  console.log(`${CALLS} calls to ${TARGETS.length} targets, round trip ${ROUND_TRIP_MS} ms, ${load()}`);
  show('first to last dial', dialled);
  show('answer of a target to the bridge', bridged);
  for (const [name, own] of Object.entries(parts)) show(name, own);
} finally {
  await product.close();
  await postgres.stop();
}
