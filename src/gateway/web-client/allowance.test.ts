import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createAllowance } from './allowance.ts';
import type { ClientMessage } from './protocol.ts';

const ORDINARY: ClientMessage = { type: 'place', to: '+16025550143' };

test('sixty messages at once and twenty a second are allowed, and no more', () => {
  let nowMs = 0;
  const allowance = createAllowance(() => nowMs);
  const send = (count: number) =>
    Array.from({ length: count }, () => allowance.allows(ORDINARY)).filter(Boolean).length;
  assert.equal(send(100), 60);
  nowMs += 500;
  assert.equal(send(100), 10);
  nowMs += 3_600_000;
  assert.equal(send(100), 60);
});

test('a message that cannot be carried out counts like any other', () => {
  const allowance = createAllowance(() => 0);
  const unfit = { unfit: { code: 'invalid_body', message: 'x' }, asked: { request: 'place' } } as const;
  for (let n = 0; n < 60; n++) assert.ok(allowance.allows(unfit));
  assert.ok(!allowance.allows(unfit));
});

test('help can be called however many messages came before, and takes nothing from the others', () => {
  const allowance = createAllowance(() => 0);
  for (const to of ['911', '933']) assert.ok(allowance.allows({ type: 'place', to }));
  for (let n = 0; n < 60; n++) assert.ok(allowance.allows(ORDINARY));
  assert.ok(!allowance.allows(ORDINARY));
  for (const to of ['911', '933']) assert.ok(allowance.allows({ type: 'place', to }));
});
