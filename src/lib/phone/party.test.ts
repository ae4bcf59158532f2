import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { checkProperty } from '../../../test/support/property.ts';
import { ANONYMOUS, asksForPrivacy, readNumber, readParty } from './party.ts';
import { isDialable } from './phone.ts';

test('a number is read in whatever form a carrier writes it', () => {
  const forms = [
    ...['+13035550111', '13035550111', '3035550111', '0013035550111', '01113035550111', '+0013035550111'],
    ...['(303) 555-0111', '+1 (303) 555-0111', '303.555.0111', '1-303-555-0111', '303\u00a0555\u20110111'],
    ...['sip:+13035550111@192.0.2.1', 'SIPS:3035550111@carrier.example:5061;transport=tls;user=phone'],
    ...['sip:%2B13035550111;npdi;rn=+13035550000@carrier.example', 'sip:13035550111:secret@carrier.example'],
    ...['tel:+1-303-555-0111', 'tel:3035550111;phone-context=+1', 'tel:5550111;phone-context=+1303'],
    ...['"Dana" <sip:+13035550111@192.0.2.1>;tag=1', '<tel:+13035550111>', '+13035550111;ext=12'],
  ];
  for (const form of forms)
    assert.deepEqual([readNumber(form), readParty(form)], ['+13035550111', '+13035550111'], form);
});

test('a number of another country is read with and without the prefix of international calls', () => {
  for (const form of ['+442071838750', '442071838750', '00442071838750', '011442071838750', '011 44 20 7183 8750']) {
    assert.equal(readNumber(form), '+442071838750', form);
  }
  assert.equal(readNumber('tel:2071838750;phone-context=+44'), '+442071838750');
});

test('what cannot be called back is anonymous', () => {
  const forms = [
    ...['', ' ', 'Anonymous', 'anonymous', 'Restricted', 'Unavailable', 'CVS', 'sip:anonymous@anonymous.invalid'],
    ...['+266696687', '266696687', '7378742833', '+17378742833', '8566696', '+8566696', '+86282452253'],
    ...['5550111', '+0442071838750', '02071838750', '1234567890', '+15551110000', '+1303555011122334455'],
    ...['sip:192.0.2.1', 'sip:+13035550111', 'tel:5550111;phone-context=example.com', '303555011x', '%2', '+'],
  ];
  for (const form of forms) assert.deepEqual([readNumber(form), readParty(form)], [undefined, ANONYMOUS], form);
});

test('a short code is a party, and not a number', () => {
  for (const form of ['72345', '7-23-45', 'tel:72345;phone-context=+1', 'sip:72345@carrier.example']) {
    assert.deepEqual([readNumber(form), readParty(form)], [undefined, '72345'], form);
  }
  assert.deepEqual(['611', '724365'].map(readParty), ['611', '724365']);
});

test('a header says whether its caller is shown', () => {
  for (const value of ['id', 'ID;critical', 'user; id', 'header', 'session,user'])
    assert.ok(asksForPrivacy(value), value);
  for (const value of ['', 'none', 'critical', 'history', 'idle']) assert.ok(!asksForPrivacy(value), value);
});

test('whatever a carrier writes, a number that is read can be called, and is read as itself', () => {
  const digit = fc.constantFrom(...'0123456789+-(). ;:@<>%sipteland'.split(''));
  checkProperty(
    fc.property(fc.array(digit, { maxLength: 24 }), (written) => {
      const number = readNumber(written.join(''));
      if (number === undefined) return;
      assert.ok(isDialable(number));
      assert.equal(readNumber(number), number);
    }),
  );
});
