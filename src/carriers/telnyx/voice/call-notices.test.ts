import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isAboutCalls } from './call-notices.ts';

test('a report is about calls by its own type, and not by a name that every object inherits', () => {
  assert.equal(isAboutCalls('call.hangup'), true);
  for (const type of ['message.received', 'constructor', 'toString', '__proto__']) {
    assert.equal(isAboutCalls(type), false, type);
  }
});
