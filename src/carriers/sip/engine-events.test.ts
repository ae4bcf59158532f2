import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isReport } from './engine-events.ts';

test('an event reports of a leg by its own type, and not by a name that every object inherits', () => {
  const channel = { id: 'leg.ld.one', name: 'PJSIP/main-1', dialplan: {} };
  assert.equal(isReport({ type: 'ChannelStateChange', channel } as never), true);
  for (const type of ['Other', 'constructor', 'toString', '__proto__']) {
    assert.equal(isReport({ type, channel } as never), false, type);
  }
});
