import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { checkProperty } from '../../../../test/support/property.ts';
import { canMove } from '../../../lib/machine.ts';
import { BRAND_STATES, brandMachine, brandStateOf, EIN_FORM, einDigits, maskEin } from './rules.ts';

test('every review in every state makes the transition of the drawing, and no other', () => {
  const drawn = {
    pending_vetting: { pending: null, approved: 'vetted', rejected: 'rejected' },
    vetted: { pending: null, approved: null, rejected: null },
    rejected: { pending: null, approved: null, rejected: null },
  } as const;
  for (const state of BRAND_STATES) {
    for (const review of ['pending', 'approved', 'rejected'] as const) {
      const to = brandStateOf(review);
      const moved = to !== null && canMove(brandMachine, state, to) ? to : null;
      assert.equal(moved, drawn[state][review], `${state}, ${review}`);
    }
  }
});

const FORM = new RegExp(EIN_FORM);
const digits = fc.stringMatching(/^[0-9]{9}$/);

test('nine digits are an EIN in both forms, with the same digits', () => {
  checkProperty(
    fc.property(digits, (ein) => {
      const dashed = `${ein.slice(0, 2)}-${ein.slice(2)}`;
      assert.match(ein, FORM);
      assert.match(dashed, FORM);
      assert.equal(einDigits(ein), ein);
      assert.equal(einDigits(dashed), ein);
    }),
  );
});

test('a text other than nine digits with at most the one dash is not an EIN', () => {
  const close = fc.stringMatching(/^[0-9 -]{0,12}$/);
  checkProperty(
    fc.property(fc.oneof(close, fc.string()), (text) => {
      const isOne = text.length === 9 ? /^\d+$/.test(text) : text.length === 10 && /^\d\d-\d+$/.test(text);
      assert.equal(FORM.test(text), isOne && !/[^0-9-]/.test(text));
    }),
  );
});

test('a masked EIN shows four digits and no more', () => {
  assert.equal(maskEin('6789'), '**-***6789');
  checkProperty(fc.property(digits, (ein) => assert.equal(maskEin(ein.slice(-4)).replaceAll(/\D/g, ''), ein.slice(5))));
});
