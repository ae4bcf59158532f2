import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findWideComments } from './check-comments.ts';

const wide = 'x'.repeat(120);

test('a comment wider than 120 columns is found in every form of comment', () => {
  const text = [`// ${wide}`, '// narrow', `/** ${wide} */`, ` * ${wide}`, `-- ${wide}`, `# ${wide}`].join('\n');
  assert.deepEqual(findWideComments(text), [1, 3, 4, 5, 6]);
});

test('a comment of exactly 120 columns is not found', () => {
  assert.deepEqual(findWideComments(`// ${'x'.repeat(117)}`), []);
});

test('wide code, and a comment that ends with a web address, are left alone', () => {
  assert.deepEqual(findWideComments(`const text = '${wide}';\n// see https://example.com/${wide}`), []);
});
