import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { checkProperty } from '../../../../test/support/property.ts';
import { classifyText } from './keywords.ts';

// Uses classifyText, because phrases match folded text only. Texts that must not opt out are in keywords.test.ts.
const phraseStop = { kind: 'stop', source: 'stop_phrase' };

const EXPLICIT_REQUESTS = `
stop texting me
do not text me
unsubscribe me
remove me from your list
opt me out
Stop texting me!
STOP TEXTING ME
please stop texting me
Please stop texting me.
Pls stop texting me, thanks
stop texting me please
stop texting
Stop texting this number
quit texting me
stop fucking texting me
don't text me
Don’t text me
dont text me anymore
Do not text me again
Please do not text me again.
Do not ever text me again
never text me again
Do not contact me
please don't text or call me
take me off your list
Take me off of your list please
take me off this list
Can you take me off your list?
Could you please remove me from your text list
Remove my number from your list
remove my phone number from your contact list
please remove me
I want to be removed from your list
stop messaging me
Stop contacting me
stop calling and texting me
Stop texting and calling me
stop sending me messages
stop sending me these texts
STOP SENDING ME STUFF
please stop sending me this
Stop sending text messages to this number
stop all messages
stop the texts
no more texts
No more messages please
please unsubscribe
Unsubscribe please
Please unsubscribe me from this list
unsubscribe me from these texts
I want to unsubscribe
I'd like to opt out
I want to opt out of these messages
please opt me out
Opt me out of all texts
I don't want these texts
I do not want to receive any more messages from you
I no longer wish to receive texts
I revoke my consent
I told you to stop texting me
You can stop texting me now
Wrong number. Please stop texting me.
Wrong number, stop texting me
wrong number... stop texting me
You have the wrong number - please remove me from your list
I moved to Ohio. Take me off your list. Thanks!
We sold the house, please take me off your list
Stop texting me, I found another dentist
STOP. Do not text me again.
Hi, please stop texting me and remove me from your list
Stop texting me 😡😡
I want to stop receiving these texts
Please stop téxting me
stop sending me that spam
quit sending me text messages
get me off this list
unsubscribe me from these alerts
opt out of all texts
stop texting me or calling me
please stop
Stop please
stop stop stop
"Stop texting me"
`
  .trim()
  .split('\n');

test('an explicit request in words opts out', () => {
  for (const body of EXPLICIT_REQUESTS) assert.deepEqual(classifyText(body), phraseStop, body);
});

test('a negation in front of a request to stop never opts out', () => {
  const negation = fc.constantFrom("don't", 'do not', 'never', "please don't", 'you must not', "you'd better not");
  const request = fc.constantFrom('stop texting me', 'unsubscribe me', 'remove me from your list', 'opt me out');
  checkProperty(fc.property(negation, request, (not, text) => assert.equal(classifyText(`${not} ${text}`), null)));
});

const PIECES = [
  ...[
    'stop ',
    'please ',
    'stop texting ',
    'remove my phone ',
    'from all of these ',
    'opt me ',
    'i ',
    'thank you can you ',
  ],
  ...['opt out ok ok ', 'stop texting stop ', 'unsubscribe stop ', 'stop messages stop now ', 'remove me ok again '],
  ...[
    '"',
    '„',
    '“',
    '«',
    '"„',
    ', ',
    ':',
    ' - ',
    '.',
    "'",
    '\u0301',
    '\ufdfa',
    'stop texting me, ',
    'stop texting me. ',
  ],
];

const LIMIT_MS = 20;

/**
 * Returns the processor time of `work` in milliseconds; time of other processes does not count. Takes up to five
 * measurements if the first is too long, because newly loaded code is slow.
 */
function costMs(work: () => unknown): number {
  let leastMs = Number.POSITIVE_INFINITY;
  for (let round = 0; round < 5 && leastMs >= LIMIT_MS; round++) {
    const before = process.threadCpuUsage();
    work();
    const { user, system } = process.threadCpuUsage(before);
    leastMs = Math.min(leastMs, (user + system) / 1_000);
  }
  return leastMs;
}

test('no text takes longer than 20 ms, whatever its length', () => {
  for (const piece of PIECES) {
    const sentence = `${piece.repeat(Math.floor(155 / piece.length))}x`;
    for (const body of [
      piece.repeat(Math.ceil(100_000 / piece.length)),
      `${piece.repeat(Math.ceil(1_600 / piece.length))}x`,
      sentence,
      `${sentence}. `.repeat(12).slice(0, 2_000),
      `${sentence}. `.repeat(600),
    ]) {
      const tookMs = costMs(() => classifyText(body));
      assert.ok(tookMs < LIMIT_MS, `${JSON.stringify(piece)}, ${body.length} characters, took ${tookMs} ms`);
    }
  }
});

test('no repeated request takes longer than 20 ms, whatever stands between', () => {
  const words = EXPLICIT_REQUESTS.map((request) => request.replace(/['’]/g, '').replace(/[^\p{L} ]+/gu, ' '));
  for (const request of words) {
    for (const between of ['', 'ok ', 'stop ', 'and ', 'thank you ']) {
      const piece = `${request} ${between}`;
      const sentence = `${piece.repeat(Math.max(1, Math.floor(155 / piece.length)))}x`;
      const tookMs = costMs(() => classifyText(sentence));
      assert.ok(tookMs < LIMIT_MS, `${sentence} took ${tookMs} ms`);
    }
  }
});

test('no sentence of the words of requests takes longer than 20 ms', () => {
  const word = fc.constantFrom(
    ...'stop quit ok please thanks thank you now again and or i want to be removed opt out of unsubscribe me us'.split(
      ' ',
    ),
    ...'texting calling no more texts messages remove from your list dont text all these this is wrong number'.split(
      ' ',
    ),
  );
  const sentences = fc.array(word, { minLength: 10, maxLength: 60 });
  const judge = (words: readonly string[]) => classifyText(`${words.join(' ').slice(0, 158)} x`);
  checkProperty(
    fc.property(sentences, (words) => assert.ok(costMs(() => judge(words)) < LIMIT_MS, words.join(' '))),
    { runs: 2_000 },
  );
});

test('of a long text the whole sentences of its beginning and of its end count', () => {
  const story = 'The car made a noise on the highway again. '.repeat(100);
  assert.deepEqual(classifyText(`Stop texting me. ${story}`), phraseStop);
  assert.deepEqual(classifyText(`${story} Stop texting me.`), phraseStop);
  assert.equal(classifyText(`${story} Stop texting me. ${story}`), null);
  assert.equal(classifyText(`STOP. ${'x'.repeat(3_000)}`)?.kind, 'stop');
  assert.equal(classifyText(`${story} STOP`)?.kind, 'stop');
  assert.equal(classifyText(`STOP${'!'.repeat(3_000)}`)?.kind, 'stop');
  assert.equal(classifyText(`${'x'.repeat(3_000)} stop`), null, 'cut before "stop"');
  const fill = `${'x'.repeat(1_983)}. `;
  assert.equal(classifyText(`${fill}stop texting me at work, please`), null, '"stop texting me" is not cut off');
  assert.equal(
    classifyText(`${fill}stop texting me at work ${'x'.repeat(3_000)}`),
    null,
    'cut after "stop texting me"',
  );
});
