import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { character, checkProperty } from '../../../../test/support/property.ts';
import { countSegments } from '../messages/segments.ts';
import { classifyText, confirmationText } from './keywords.ts';

const keywordStop = { kind: 'stop', source: 'stop_keyword' };

const STOP_WORDS = (
  'STOP|STOPALL|STOP ALL|UNSUBSCRIBE|UNSUB|CANCEL|END|QUIT|REVOKE|OPTOUT|OPT OUT|OPT-OUT|REMOVE|ARRET|ARRÊT|TD|' +
  'ALTO|PARAR|CANCELAR|BAJA|NO MÁS|UNSUSCRIBE|UNSUBCRIBE'
).split('|');

const dressings: ((word: string) => string)[] = [
  (word) => word,
  (word) => word.toLowerCase(),
  (word) => word[0] + word.slice(1).toLowerCase(),
  (word) => `  ${word}\r\n`,
  (word) => `${word}.`,
  (word) => `${word}!!!`,
  (word) => `"${word}"`,
  (word) => `“${word}”`,
  (word) => `‘${word}’`,
  (word) => `*${word}*`,
  (word) => `${word} 🛑`,
  (word) => `\ufeff${word}\u200b`,
  (word) => word.normalize('NFD'),
  (word) => word.split(' ').join(' \u00a0 '),
];

test('every opt-out keyword opts out as the whole message, in any case, spacing and punctuation', () => {
  for (const word of STOP_WORDS) {
    for (const dress of dressings)
      assert.deepEqual(classifyText(dress(word)), keywordStop, JSON.stringify(dress(word)));
  }
  for (const body of ['STOP?', 'Unsubscribe?', 'opt-out?', 'S.T.O.P', 'ＳＴＯＰ', 'Stop-All', 'St\u00adop'])
    assert.deepEqual(classifyText(body), keywordStop, body);
});

test('START and UNSTOP opt in, HELP and INFO ask for help, as the whole message only', () => {
  for (const dress of dressings) {
    for (const word of ['START', 'UNSTOP']) assert.deepEqual(classifyText(dress(word)), { kind: 'start' });
    for (const word of ['HELP', 'INFO']) assert.deepEqual(classifyText(dress(word)), { kind: 'help' });
  }
});

const ORDINARY = `
cancel my 3pm
stop by at 3?
please don't stop texting me
Please do not stop texting me
Don't stop texting me!
please don't, ever, stop texting me
please don't... stop texting me
never stop texting me lol
I need to stop texting, I'm driving
I need to stop texting now
I'll stop texting you
Remove me, put my wife on the appointment
I'd like to opt out, no flu shot please
I don't want texts, please call
No more texts tonight, I'm asleep
Can I opt out?
How do I unsubscribe?
Did you remove me from your list?
can you remove me from the 3pm slot
Quit smoking class at 5?
end of lease?
I'll stop by
Can't stop at the shop, cancel it
yes
YES
Y
no
Help me find the office?
Can you help
I need help with the gate code
Need info on the cleaning
Info please about parking
start at 9?
Can we start the repair Monday
When does it start
Please restart the service
Please cancel
cancel please
Cancel my appointment
cancel tomorrow, reschedule for Friday
I need to cancel
Can I cancel and come next week?
Yes cancel it
cancel the oil change, keep the brakes
Stop the repair, it is too expensive
Stop work please
The car won't stop
My brakes don't stop well
It makes a noise when I stop
stop it
Full stop
bus stop
The bus stop is at Main and 3rd
one stop shop
Nonstop leak in the kitchen
Pit stop at 4?
Should I stop taking the ibuprofen?
When can I stop the antibiotics
I quit my job, can I pay rent on the 5th
Want to quit smoking
I quit
week end
the end
End of the month works
At the end of the hall
Front end alignment quote?
What's the end date
rear end noise
Remove the old fridge please
Remove the tenant John from the lease
remove me from the waitlist for Friday
Remove me from the schedule
Please remove me from the lease
take me off the schedule tomorrow
Take me off the waiting list
take me off your list for Friday
Take me off your schedule
Can you take me off the 2 o'clock
remove the dent
Stitches to remove
When do I get the stitches removed?
revoke parking permit for unit 4
My permit was revoked
opt for the cheaper tires
I'd opt for synthetic oil
Can I opt out of the flu shot?
opt out of paperless billing
Do I have to opt in
subscribe
My ex won't stop texting me
He won't stop texting me, can you change my locks
My neighbor keeps texting, I told him stop texting me
I told the other clinic to stop texting me
She said, stop texting me
Did you stop texting me?
Why did you stop texting me
Why do you keep texting me
Don't text me before 9
do not text me after 8pm
Don't text me at work
don't text me, call me
Please don't text me today, I'm in surgery
don't text me now, I'm driving
When I'm driving, stop texting me
Stop texting me so early
Stop texting me after 9pm
If it's fixed, stop texting me
Stop texting me, unless it's urgent
Do not text my wife, text me
Don't text him
Text me when the car is ready
Can you text me instead of calling
Do you text?
I don't text much, call me
do not call me
stop calling me
I didn't get any texts
I don't get your messages
I don't want to get a text at night
I don't want the extended warranty
No more pain, thanks!
No more leaks so far
no more texts than needed
no text yet
Got your texts
unsubscribe me from the email newsletter
How do I unsubscribe my old email
How do I stop the alarm?
Stop payment on the check
Please stop the sprinklers
stop sign is down at the entrance
stop light fixed?
Send me the list
remove item 3 from your list
Put me on your list
Am I on your list?
Delete the old appointment
Liked “Reply STOP to opt out”
Liked “Stop texting me”
Loved “See you at 3. Stop texting me. Bye”
He wrote "Stop texting me." What do I do?
STOP 2
stop1
STOPPED
Unsubscribed?
ended
cancelled
helpful
helped a lot
quitting time is 5
info@example.com
arrete
STOP and go traffic, 10 min late
stop, I mean start the work on Monday
End or start of May?
ok
thanks!
👍
123
?!
`
  .trim()
  .split('\n');

test('ordinary messages of clinics, garages and property managers stay ordinary', () => {
  for (const body of ORDINARY) {
    for (const variant of [body, body.toUpperCase(), body.replaceAll("'", '’'), `${body} `]) {
      assert.equal(classifyText(variant), null, variant);
    }
  }
});

test('a message without a letter is ordinary', () => {
  for (const body of ['', ' ', '\n', '...', '🛑', '\u0301'])
    assert.equal(classifyText(body), null, JSON.stringify(body));
});

test('any other word around a keyword makes the message ordinary', () => {
  const word = fc.constantFrom('my', '3pm', 'tomorrow', 'the', 'work', 'at', 'visit', 'lease', '5');
  const keyword = fc.constantFrom(...STOP_WORDS, 'START', 'HELP', 'INFO');
  checkProperty(
    fc.property(keyword, word, fc.boolean(), (stop, other, first) => {
      assert.equal(classifyText(first ? `${other} ${stop}` : `${stop} ${other}`), null);
    }),
  );
});

const KINDS = ['stop', 'start', 'help'] as const;
const confirm = (kind: (typeof KINDS)[number], name: string, supportContact: string | null = null) =>
  confirmationText(kind, { name, supportContact });

test('a confirmation names the sender and says what to reply', () => {
  for (const kind of KINDS) assert.match(confirm(kind, 'Bright Smile Dental'), /^Bright Smile Dental: /);
  assert.match(confirm('stop', 'A'), /unsubscribed.*START/);
  assert.match(confirm('start', 'A'), /subscribed again.*HELP.*STOP/);
  assert.match(confirm('help', 'A'), /STOP to end/);
});

test('only the reply to HELP names the contact, and cuts neither name nor contact', () => {
  const name = '['.repeat(40);
  const contact = `https://desert-dental.example/${'~'.repeat(70)}`;
  for (const kind of ['stop', 'start'] as const) assert.equal(confirm(kind, 'A', contact), confirm(kind, 'A'));
  const text = confirm('help', name, contact);
  assert.ok(text.startsWith(`${name}: Contact ${contact} `), text);
  assert.equal(countSegments(text, false).encoding, 'gsm7');
  const usual = confirm('help', 'Desert Dental of North Scottsdale', 'help@desertdental.example');
  assert.deepEqual(countSegments(usual, false), { segments: 1, encoding: 'gsm7' });
});

test('a confirmation is one GSM-7 segment for any name that GSM-7 can write', () => {
  const names = fc.oneof(
    fc.string({ unit: character, maxLength: 300 }),
    fc.string({ unit: 'grapheme', maxLength: 300 }),
    fc.string({ unit: fc.constantFrom('[', '€', 'a', ' ', 'ő', '\n'), maxLength: 300 }),
  );
  checkProperty(
    fc.property(fc.constantFrom(...KINDS), names, (kind, name) => {
      const text = confirm(kind, `A${name}`);
      assert.deepEqual(countSegments(text, false), { segments: 1, encoding: 'gsm7' });
      assert.ok(text.length <= 160 && !/[\r\n]/.test(text));
    }),
    { runs: 1000 },
  );
});

test('a long name fills the segment exactly, and is cut at a word and marked', () => {
  for (const kind of KINDS) {
    assert.equal(confirm(kind, 'a'.repeat(300)).length, 160);
    assert.equal(countSegments(confirm(kind, '['.repeat(300)), false).segments, 1);
  }
  const text = confirm('stop', `${'Orthopaedic Surgery '.repeat(8)}Associates`);
  assert.match(text, /^(Orthopaedic Surgery )*Orthopaedic( Surgery)?\.\.\.: You are/);
});

test('a name in a script that GSM-7 lacks is written as it is', () => {
  assert.match(confirm('stop', '牙医'), /^牙医: You are unsubscribed/);
});

test('a confirmation that reaches another tenant number is an ordinary message there, so two numbers cannot loop', () => {
  const names = [
    'Stop',
    'STOP.',
    'Please',
    'stop texting me.',
    'Unsubscribe',
    'Hi',
    'Opt out!',
    'stop texting me',
    'Help',
  ];
  for (const name of names) {
    for (const kind of KINDS) {
      if (classifyText(name)?.kind === 'stop') continue;
      assert.equal(classifyText(confirm(kind, name)), null, confirm(kind, name));
    }
  }
});
