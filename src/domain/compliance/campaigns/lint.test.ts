import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { CAMPAIGN } from '../../../../test/support/compliance.ts';
import { type CampaignTexts, lintCampaign } from './lint.ts';

const GOOD: CampaignTexts = { ...CAMPAIGN, senders: ['Desert Dental LLC', 'Desert Dental'] };

const found = (change: Partial<CampaignTexts>) =>
  lintCampaign({ ...GOOD, ...change }).map(({ field, rule }) => `${field}: ${rule}`);

const [FIRST, SECOND] = CAMPAIGN.sample_messages;
const CODES = [
  'Desert Dental: 482913 is your code. It is good for ten minutes. Reply STOP to opt out.',
  `${FIRST} Code 1234`,
];
const OFFERS = ['Desert Dental: 20% off whitening until Friday! Reply STOP to opt out.', SECOND];

describe('the check of a campaign', () => {
  test('finds nothing in good texts', () => {
    assert.deepEqual(found({}), []);
    assert.deepEqual(found({ use_case: 'two_factor', sample_messages: CODES }), []);
    const description = 'Desert Dental sends offers and news to patients who asked for them at the front desk.';
    assert.deepEqual(found({ use_case: 'marketing', description, sample_messages: OFFERS }), []);
    assert.deepEqual(found({ senders: [] }), []);
  });

  for (const [what, change, expected] of [
    ['a description that says little', { description: 'Reminders' }, 'description: description_too_short'],
    ['marketing that promotes nothing', { use_case: 'marketing' }, 'description: use_case_mismatch'],
    ['a single sample', { sample_messages: [FIRST] }, 'sample_messages: too_few_samples'],
    ['a sample given twice', { sample_messages: [FIRST, FIRST] }, 'sample_messages[1]: sample_repeated'],
    ['a sample that shows nothing', { sample_messages: [FIRST, 'See you!'] }, 'sample_messages[1]: sample_too_short'],
    ['filler', { sample_messages: [FIRST, 'This is a test message.'] }, 'sample_messages[1]: placeholder_text'],
    ['no way out', { sample_messages: [SECOND, `${SECOND} Thanks!`] }, 'sample_messages: no_opt_out'],
    ['nobody to be from', { senders: ['Cactus Care'] }, 'sample_messages: sender_not_named'],
    [
      'a shortened link',
      { sample_messages: [FIRST, `${SECOND} https://bit.ly/3xyz`] },
      'sample_messages[1]: public_url_shortener',
    ],
    ['codes without a code', { use_case: 'two_factor' }, 'sample_messages[1]: use_case_mismatch'],
    ['an offer among reminders', { sample_messages: OFFERS }, 'sample_messages[0]: use_case_mismatch'],
    [
      'prohibited content',
      { sample_messages: [FIRST, `${SECOND} We now sell CBD oil.`] },
      'sample_messages[1]: prohibited_content',
    ],
    ['an opt-in in a few words', { opt_in_description: 'They sign a form.' }, 'opt_in_description: opt_in_too_short'],
    [
      'an opt-in without a method',
      { opt_in_description: 'Everyone who gets texts has agreed to get them at some time.' },
      'opt_in_description: opt_in_no_method',
    ],
    [
      'an opt-in without consent',
      { opt_in_description: 'Patients enter their number in the form at https://desert-dental.example/book.' },
      'opt_in_description: opt_in_no_consent',
    ],
    [
      'an online opt-in without a link',
      {
        opt_in_description: CAMPAIGN.opt_in_description.replace(
          'form at https://desert-dental.example/book',
          'website',
        ),
      },
      'opt_in_description: opt_in_no_link',
    ],
    [
      'a bought list',
      { opt_in_description: `${CAMPAIGN.opt_in_description} We also text purchased lists.` },
      'opt_in_description: opt_in_not_explicit',
    ],
    [
      'consent that is shared',
      { opt_in_description: `${CAMPAIGN.opt_in_description} We share numbers with our marketing partners.` },
      'opt_in_description: third_party_sharing',
    ],
    [
      'missing disclosures',
      { opt_in_description: CAMPAIGN.opt_in_description.replace('Message and data rates may apply. ', '') },
      'opt_in_description: opt_in_no_disclosure',
    ],
  ] as const) {
    test(`finds ${what}`, () => {
      const findings = found(change as Partial<CampaignTexts>);
      assert.ok(findings.includes(expected), JSON.stringify(findings));
    });
  }

  test('a promise not to share numbers is not a finding', () => {
    const optIn = `${CAMPAIGN.opt_in_description} Numbers are not shared with third parties, and never sold to partners.`;
    assert.deepEqual(found({ opt_in_description: optIn }), []);
  });

  test('every finding names a field, the problem and the remedy', () => {
    const bad = { description: 'test', sample_messages: ['test'], opt_in_description: 'implied' };
    const findings = lintCampaign({ ...GOOD, ...bad });
    assert.ok(findings.length > 5);
    for (const { field, rule, message, remedy } of findings) {
      assert.match(field, /^(description|opt_in_description|sample_messages(\[\d\])?)$/);
      assert.match(rule, /^[a-z_]+$/);
      assert.ok(message.length > 10 && remedy.length > 10);
    }
  });
});
