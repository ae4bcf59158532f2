import assert from 'node:assert/strict';
import { test } from 'node:test';
import { defaultConsentText, makeSlug, readPhoneNumber, textColorOn, webAddress } from './rules.ts';
import { DARK, LIGHT, type Palette, styleFor } from './style.ts';

const RANDOM = '[2-9b-df-hj-km-np-tv-z]{10}';

for (const [name, words] of [
  ['Desert Dental', 'desert-dental-'],
  ['  Café «Zoë» & Söhne!  ', 'cafe-zoe-sohne-'],
  ['<script>alert(1)</script>', 'script-alert-1-script-'],
  ['x'.repeat(200), `${'x'.repeat(40)}-`],
  [`${'x'.repeat(39)} tail`, `${'x'.repeat(39)}-`],
  ['東京', ''],
] as const) {
  test(`the address of a form named ${name.slice(0, 30)} has plain words and a random part`, () => {
    assert.match(makeSlug(name), new RegExp(`^${words}${RANDOM}$`));
  });
}

test('two forms of one name have two addresses', () => {
  assert.equal(new Set(Array.from({ length: 1_000 }, () => makeSlug('Same'))).size, 1_000);
});

test('the default text names the sender, the kind, the frequency, the cost, STOP and HELP', () => {
  for (const [useCase, kind] of [
    ['marketing', /promotional/],
    ['two_factor', /verification codes/],
    [undefined, /service and account/],
    ['constructor', /./],
  ] as const) {
    const text = defaultConsentText('Desert Dental', useCase);
    for (const part of [kind, /Desert Dental/, /frequency varies/, /Msg & data rates may apply/, /STOP/, /HELP/]) {
      assert.match(text, part);
    }
    assert.doesNotMatch(text, /function|undefined/);
  }
});

test('a page links only to plain https addresses', () => {
  assert.equal(webAddress('HTTPS://Example.com/a b?c=<d>'), 'https://example.com/a%20b?c=%3Cd%3E');
  assert.equal(webAddress('https://example.com:8443/logo.png'), 'https://example.com:8443/logo.png');
  for (const text of [
    'javascript:alert(1)',
    'data:image/png;base64,AAAA',
    'http://example.com/',
    '//example.com/',
    'example.com',
    'https://user:pass@example.com/',
    'https://a;sandbox/',
    'https://a,b.example/',
    "https://a'b.example/",
    'https://[::1]/',
    'https://',
    '',
    `https://example.com/${'ä'.repeat(700)}`,
  ]) {
    assert.equal(webAddress(text), undefined, text);
  }
});

for (const [typed, number] of [
  ['+16025550143', '+16025550143'],
  ['(602) 555-0143', '+16025550143'],
  [' 602.555.0143 ', '+16025550143'],
  ['1 602 555 0143', '+16025550143'],
  ['602–555–0143', '+16025550143'],
  ['+44 20 7946 0958', '+442079460958'],
  ['+15005550002', '+15005550002'],
  ['\u202a+1 (602) 555\u20110143\u202c', '+16025550143'],
  ['\u200e602\u200b555\u00ad0143\ufeff', '+16025550143'],
  ['（６０２）５５５－０１４３', '+16025550143'],
  ['＋１６０２５５５０１４３', '+16025550143'],
  ['602\u2212555\u20140143', '+16025550143'],
  ['602\u2e3a555\u30fc0143', '+16025550143'],
  ['602\u00a0555\u202f0143', '+16025550143'],
  ['602\u00b7555\u00b70143', '+16025550143'],
  ['602\u2022555\u20220143', '+16025550143'],
  ['602/555/0143', '+16025550143'],
  ['602~555~0143', '+16025550143'],
  ['602\u2500555\u25000143', '+16025550143'],
  ['tel:+16025550143', '+16025550143'],
  ['(602) 555-0143,', '+16025550143'],
  ['001 602 555 0143', '+16025550143'],
  ['011 1 602 555 0143', '+16025550143'],
  ['602 555 0143 / 602 555 0144', undefined],
  ['00 602 555 0143', undefined],
  ['6025550l43', undefined],
  ['555-0143', undefined],
  ['602555014x', undefined],
  ['+1 102 555 0143', undefined],
  ['60255501434', undefined],
  ['++16025550143', undefined],
  ['+16025550143\u0000', undefined],
  ['', undefined],
] as const) {
  test(`${JSON.stringify(typed)} is read as ${number ?? 'no number'}`, () =>
    assert.equal(readPhoneNumber(typed), number));
}

test('the text is readable on every colour', () => {
  assert.equal(textColorOn('#000000'), '#ffffff');
  assert.equal(textColorOn('#ffffff'), '#000000');
  assert.equal(textColorOn('#ffe600'), '#000000');
  assert.equal(textColorOn('#0b57a4'), '#ffffff');
  for (let step = 0; step <= 0xffffff; step += 0x010307) {
    const color = `#${step.toString(16).padStart(6, '0')}`;
    assert.ok(contrast(color, textColorOn(color)) >= 4.5, color);
  }
});

for (const [scheme, { ground, edge, ...texts }] of Object.entries({ LIGHT, DARK } as Record<string, Palette>)) {
  test(`the ${scheme} page is readable, and its controls can be seen`, () => {
    for (const [name, color] of Object.entries(texts)) assert.ok(contrast(color, ground) >= 4.5, name);
    assert.ok(contrast(edge, ground) >= 3);
  });
}

test('the page follows the scheme of the device', () => {
  const [light = '', dark = ''] = styleFor('#0b57a4').split('@media (prefers-color-scheme: dark)');
  assert.ok(light.includes(`--ground: ${LIGHT.ground};`) && light.includes('color-scheme: light dark'));
  for (const [name, value] of Object.entries(DARK)) assert.ok(dark.includes(`--${name}: ${value};`), name);
});

/** WCAG 2.2, contrast ratio. */
function contrast(one: string, other: string): number {
  const [light, dark] = [one, other].map(luminance).sort((a, b) => b - a) as [number, number];
  return (light + 0.05) / (dark + 0.05);
}

function luminance(color: string): number {
  const shares = (color.match(/[0-9a-f]{2}/g) ?? []).map((hex) => Number.parseInt(hex, 16) / 255);
  const linear = shares.map((share) => (share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4));
  return linear.reduce((sum, share, index) => sum + share * ([0.2126, 0.7152, 0.0722][index] as number), 0);
}
