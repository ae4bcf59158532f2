import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readLine } from './input.ts';

test('a line is a text unless it begins with one slash', () => {
  assert.deepEqual(readLine('  C '), { do: 'text', body: 'C', mediaUrls: [] });
  assert.deepEqual(readLine('//C'), { do: 'text', body: '/C', mediaUrls: [] });
  assert.deepEqual(readLine(''), { do: 'nothing' });
});

test('commands are read with what follows them, also by their first letter', () => {
  for (const [line, wanted] of [
    ['/mms https://files.example/dog.jpg', { do: 'text', body: '', mediaUrls: ['https://files.example/dog.jpg'] }],
    [
      '/mms https://files.example/dog.jpg My dog',
      { do: 'text', body: 'My dog', mediaUrls: ['https://files.example/dog.jpg'] },
    ],
    ['/call', { do: 'call', number: undefined }],
    ['/C +16025550143', { do: 'call', number: '+16025550143' }],
    ['/k 1 2#', { do: 'keys', digits: '12#' }],
    ['/s Good morning.', { do: 'say', text: 'Good morning.' }],
    ['/a', { do: 'accept' }],
    ['/wait text', { do: 'wait', for: 'text' }],
    ['/wait 0.5', { do: 'wait', for: 0.5 }],
  ] as const) {
    assert.deepEqual(readLine(line), wanted, line);
  }
});

test('a command that does not exist, or that lacks something, says what to type', () => {
  for (const [line, said] of [
    ['/anwser', /no \/anwser; \/help/],
    ['/constructor', /no \/constructor; \/help/],
    ['/say', /\/say needs what to say/],
    ['/to', /a number such as/],
    ['/wait', /\/wait needs one of text/],
    ['/wait 601', /seconds up to 600/],
    ['/wait -1', /\/wait needs/],
  ] as const) {
    assert.throws(() => readLine(line), said, line);
  }
});
