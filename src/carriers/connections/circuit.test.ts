import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Circuit, type CircuitState, createCircuit } from './circuit.ts';

const LIMITS = { failuresMax: 3, openMsMin: 1_000, openMsMax: 3_000, probeMs: 50 };

function start() {
  const clock = { ms: 0 };
  const seen: CircuitState[] = [];
  const circuit = createCircuit({ ...LIMITS, now: () => clock.ms, onChange: (state) => seen.push(state) });
  return { circuit, clock, seen };
}

function fail(circuit: Circuit, times = 1): void {
  for (let n = 0; n < times; n++) circuit.fail(circuit.begin());
}

test('failures in a row open the circuit; a success in between starts the count again', () => {
  const { circuit } = start();
  fail(circuit, 2);
  circuit.begin();
  circuit.succeed();
  fail(circuit, 2);
  assert.deepEqual([circuit.state, circuit.waitMs()], ['closed', 0]);
  fail(circuit);
  assert.deepEqual([circuit.state, circuit.waitMs()], ['open', 1_000]);
});

test('an open circuit lets one probe through after its pause, and closes if that succeeds', () => {
  const { circuit, clock, seen } = start();
  fail(circuit, 3);
  clock.ms = 999;
  assert.equal(circuit.waitMs(), 1);
  clock.ms = 1_000;
  assert.equal(circuit.waitMs(), 0);
  assert.deepEqual(circuit.begin(), { isProbe: true });
  assert.deepEqual([circuit.state, circuit.waitMs()], ['half_open', 50], 'others wait for the probe');
  circuit.succeed();
  assert.equal(circuit.waitMs(), 0);
  assert.deepEqual(seen, ['open', 'half_open', 'closed']);
});

test('each failed probe doubles the pause up to its limit; after a success it is short again', () => {
  const { circuit, clock } = start();
  fail(circuit, 3);
  const pauses: number[] = [];
  for (let n = 0; n < 3; n++) {
    clock.ms += circuit.waitMs();
    fail(circuit);
    pauses.push(circuit.waitMs());
  }
  assert.deepEqual(pauses, [2_000, 3_000, 3_000]);
  clock.ms += 3_000;
  circuit.begin();
  circuit.succeed();
  fail(circuit, 3);
  assert.equal(circuit.waitMs(), 1_000);
});

test('requests from before the circuit opened neither prolong its pause nor fail its probe, but their success closes it', () => {
  const { circuit, clock } = start();
  const early = [circuit.begin(), circuit.begin(), circuit.begin()] as const;
  fail(circuit, 3);
  clock.ms = 600;
  circuit.fail(early[0]);
  assert.equal(circuit.waitMs(), 400);
  clock.ms = 1_000;
  circuit.begin();
  circuit.fail(early[1]);
  assert.equal(circuit.state, 'half_open');
  circuit.succeed();
  assert.equal(circuit.state, 'closed');
});

test('an end that shows nothing neither opens nor closes the circuit, and lets the next request be the probe', () => {
  const { circuit, clock } = start();
  fail(circuit, 2);
  circuit.pass(circuit.begin());
  fail(circuit);
  assert.equal(circuit.state, 'open', 'the failures are still in a row');
  clock.ms = 1_000;
  circuit.pass(circuit.begin());
  assert.deepEqual([circuit.state, circuit.waitMs()], ['open', 0]);
  assert.deepEqual(circuit.begin(), { isProbe: true });
});

test('a circuit without a limit of failures never opens', () => {
  const clock = { ms: 0 };
  const failuresMax = Number.POSITIVE_INFINITY;
  const circuit = createCircuit({ ...LIMITS, failuresMax, now: () => clock.ms, onChange: () => assert.fail() });
  fail(circuit, 1_000);
  assert.equal(circuit.waitMs(), 0);
});
