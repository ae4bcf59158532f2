import assert from 'node:assert/strict';
import { test } from 'node:test';
import { filled, valueNamed } from '../src/lib/templates.ts';

test('a variable has the value that was typed, and none that every object inherits', () => {
  assert.equal(filled('Hi {{ name }}, {{constructor}}', { name: 'Ann' }), 'Hi Ann, {{constructor}}');
  assert.equal(filled('{{constructor}}', JSON.parse('{"constructor":"ACME"}')), 'ACME');
  assert.equal(valueNamed({ name: 'Ann' }, 'name'), 'Ann');
  assert.equal(valueNamed({}, 'constructor'), '');
});
