/** Compares lists in pages under docs/ with the lists of the program. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { CALL_LOG_FIELDS } from '../../src/domain/voice/calls/state/call-step.ts';
import { ID_PREFIXES } from '../../src/lib/ids.ts';

/** Kinds of ids that no reply shows. */
const INTERNAL: readonly string[] = [
  'call_leg',
  'utterance',
  'webhook_secret',
  'job',
  'carrier_connection',
  'carrier_request',
];

const page = (name: string) => readFileSync(new URL(`../../docs/${name}`, import.meta.url), 'utf8');

test("the page on calls lists the fields of every entry type of a call's log", () => {
  const rows = page('voice.md')
    .split('\n')
    .filter((line) => line.startsWith('| `'));
  for (const [type, fields] of Object.entries(CALL_LOG_FIELDS)) {
    const entry = rows.filter((row) => (row.split(' | ')[0] as string).includes(`\`${type}\``)).join('\n');
    assert.ok(entry !== '', type);
    for (const field of fields) assert.ok(entry.includes(`\`${field}\``), `${type}: ${field}`);
  }
});

test('the page on the basics lists the prefix of every kind of id', () => {
  const text = page('api-basics.md');
  for (const [kind, prefix] of Object.entries(ID_PREFIXES)) {
    if (!INTERNAL.includes(kind)) assert.ok(text.includes(`| \`${prefix}\` `), kind);
  }
});
