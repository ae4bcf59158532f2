import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ApiError } from '../../../lib/errors.ts';
import { checkDraft } from './check-send.ts';

const SEEN = ['a', '.', '😀', '\u0301', ' a\u200b', '\ud83d', 'ـ'];
const UNSEEN = ['', ' ', '\n\t', '\u200b', '\u200d\u200c', '\u2060', '\ufeff', '\u00ad', '\u3164', '\u2800', '\u0007'];

/** The code that a send of this body meets by itself, or what it may be sent as. */
function judge(body: string, media_urls: string[] = []): string {
  try {
    checkDraft({ from: 'num_1', to: '+16025550143', body, media_urls });
    return 'fine';
  } catch (error) {
    if (error instanceof ApiError) return error.code;
    throw error;
  }
}

test('a body of which a handset shows nothing is no body', () => {
  for (const body of [...UNSEEN, UNSEEN.join('')]) assert.equal(judge(body), 'empty_message', JSON.stringify(body));
  for (const body of SEEN) assert.notEqual(judge(body), 'empty_message', JSON.stringify(body));
});

test('with media there is something to see', () => {
  for (const body of UNSEEN) assert.equal(judge(body, ['https://example.com/a.png']), 'fine', JSON.stringify(body));
});

test('media on this machine is refused where it was not opened', () => {
  for (const url of [
    'http://localhost/a.png',
    'https://localhost/a.png',
    'https://[::1]/a.png',
    'https://2130706433/a',
  ]) {
    assert.equal(judge('Hi', [url]), 'invalid_body', url);
  }
});
