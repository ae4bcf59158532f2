import assert from 'node:assert/strict';
import { test } from 'node:test';
import { JPEG, PDF, PNG } from '../../../../test/support/port-ins.ts';
import { documentTypeOf, nameMissing } from './rules.ts';

test('a type is recognised by the first bytes of a file', () => {
  assert.equal(documentTypeOf(PDF), 'application/pdf');
  assert.equal(documentTypeOf(PNG), 'image/png');
  assert.equal(documentTypeOf(JPEG), 'image/jpeg');
});

test('a PDF may have up to 1,024 bytes before its header', () => {
  assert.equal(documentTypeOf(Buffer.concat([Buffer.alloc(1_024), PDF])), 'application/pdf');
  assert.equal(documentTypeOf(Buffer.concat([Buffer.alloc(1_025), PDF])), undefined);
});

test('no other file is recognised', () => {
  const others = ['', '%PDF', 'GIF89a', '<html>', 'II*\0', '\xff\xd8', '\x89PNG\r\n', 'RIFF\0\0\0\0WEBPVP8 '];
  for (const text of others) assert.equal(documentTypeOf(Buffer.from(text, 'latin1')), undefined, text);
});

test('missing documents are named after what the carrier says', () => {
  assert.equal(nameMissing('Correct the PIN.', ['invoice']), 'Correct the PIN. Missing documents: invoice.');
  assert.equal(
    nameMissing(null, ['letter_of_authorization', 'invoice']),
    'Missing documents: letter_of_authorization, invoice.',
  );
  assert.equal(nameMissing('Correct the PIN.', []), 'Correct the PIN.');
  assert.equal(nameMissing(null), null);
});
