import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { classifyText } from './keywords.ts';

// Through classifyText, because a phrase counts only as it is folded there. What must not opt out is in
// keywords.test.ts.
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
  fc.assert(fc.property(negation, request, (not, text) => assert.equal(classifyText(`${not} ${text}`), null)));
});

test('a long hostile text does not block the process', () => {
  const pieces = [
    'stop ',
    'please ',
    'stop texting ',
    'remove my phone ',
    'from all of these ',
    '"',
    ', ',
    'opt me ',
    'i ',
  ];
  for (const piece of pieces) {
    for (const body of [
      `${piece.repeat(20_000)}x`,
      `${piece.repeat(Math.floor(155 / piece.length))}x`,
      `${piece.repeat(Math.floor(155 / piece.length))}x. `.repeat(300),
    ]) {
      const startMs = performance.now();
      classifyText(body);
      assert.ok(performance.now() - startMs < 1000, `${piece} took ${performance.now() - startMs} ms`);
    }
  }
});
