import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { hasDigitSteps, hasTargetSteps } from '../call.ts';
import { parseScript, ScriptError } from './script.ts';

describe('the script of a caller', () => {
  test('is read step by step', () => {
    assert.deepEqual(parseScript('ring 3, answer, say "Hello, it is me", press 1, wait 2.5, hangup'), [
      { do: 'wait', ms: 3_000 },
      { do: 'answer', target: null },
      { do: 'say', party: 'customer', text: 'Hello, it is me' },
      { do: 'press', party: 'customer', digits: '1' },
      { do: 'wait', ms: 2_500 },
      { do: 'hang_up', party: 'customer' },
    ]);
  });

  test('can have steps of the agent, and name a target', () => {
    assert.deepEqual(parseScript('answer +16025550120, agent say “Clinic”, agent press 12#, agent hang up'), [
      { do: 'answer', target: '+16025550120' },
      { do: 'say', party: 'agent', text: 'Clinic' },
      { do: 'press', party: 'agent', digits: '12#' },
      { do: 'hang_up', party: 'agent' },
    ]);
  });

  test('has target steps or digit steps only if a step is about them', () => {
    assert.equal(hasTargetSteps(parseScript('wait 1, decline')), true);
    assert.equal(hasTargetSteps(parseScript('say "Hi", hangup')), false);
    assert.equal(hasDigitSteps(parseScript('answer, press 5')), true);
    assert.equal(hasDigitSteps(null), false);
  });

  for (const wrong of ['dance', 'ring', 'wait 301', 'wait -1', 'say ""', 'press hello', 'answer, jump 3']) {
    test(`refuses "${wrong}"`, () => assert.throws(() => parseScript(wrong), ScriptError));
  }

  test('has at most fifty steps', () => {
    assert.throws(() => parseScript(new Array(51).fill('wait 1').join(',')), ScriptError);
  });
});
