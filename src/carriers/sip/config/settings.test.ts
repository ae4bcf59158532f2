import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readSipSettings } from './settings.ts';

const SETTINGS = {
  engines: 'a=http://127.0.0.1:8088 b=https://10.0.0.6:8089/',
  dialplane_url: 'http://127.0.0.1:3000/',
  trunks: JSON.stringify([
    { name: 'main', host: 'sip.example.com', transport: 'tls', auth: 'register', username: 'clinic' },
    { name: 'backup', host: '203.0.113.9', numbers: 'national' },
  ]),
  phones: '[{"number":"+13035550101"}]',
};
const CREDENTIALS = {
  ari_password: 'a-long-password',
  passwords: '{"main":"secret-of-the-trunk","+13035550101":"secret-of-the-phone"}',
};

const read = (settings: object = {}, credentials: object = {}) =>
  readSipSettings({ settings: { ...SETTINGS, ...settings }, credentials: { ...CREDENTIALS, ...credentials } });

test('settings have their standard values', () => {
  const { engines, trunks, dialplaneUrl, rtpPorts, listenAddress } = read();
  assert.deepEqual(engines, [
    { name: 'a', url: 'http://127.0.0.1:8088' },
    { name: 'b', url: 'https://10.0.0.6:8089' },
  ]);
  assert.deepEqual([dialplaneUrl, rtpPorts, listenAddress], ['http://127.0.0.1:3000', [10_000, 20_000], '127.0.0.1']);
  const [main, backup] = trunks;
  assert.deepEqual([main?.port, main?.srtp, main?.dtmf, main?.codecs], [undefined, true, 'auto', ['ulaw', 'alaw']]);
  assert.deepEqual([backup?.port, backup?.srtp, backup?.auth, backup?.keepalive_s], [undefined, false, 'ip', 30]);
});

const trunk = (fields: object) => ({ trunks: JSON.stringify([{ name: 'main', host: 'sip.example.com', ...fields }]) });

/** Returns a setting with telephones of one tenant. They differ only in the given fields. */
const phones = (...differences: readonly object[]) => ({
  phones: JSON.stringify(
    differences.map((fields) => ({
      number: '+13035550101',
      name: 'front',
      tenant: `tnt_${'0'.repeat(26)}`,
      ...fields,
    })),
  ),
});
const extension = (digits: string, to = '+13035550102') => phones({ extensions: [{ digits, to }] });

const REFUSED: readonly [string, object, RegExp][] = [
  ['no engine', { engines: '' }, /^engines: give 1 to 16/],
  ['an engine without a name', { engines: 'http://127.0.0.1:8088' }, /^engines: give each engine a name/],
  ['two engines of one name', { engines: 'a=http://127.0.0.1:1 a=http://127.0.0.1:2' }, /^engines: a is there twice/],
  ['an address without http', { dialplane_url: '127.0.0.1:3000' }, /^dialplane_url: give an address/],
  ['trunks that are not JSON', { trunks: 'main' }, /^trunks: this is not JSON/],
  ['an unknown field of a trunk', trunk({ colour: 'red' }), /^trunks: \/0 has colour/],
  ['a trunk without a host', { trunks: '[{"name":"main"}]' }, /^trunks: \/0 needs host$/],
  ['a list that is none', { trunks: '{}' }, /^trunks: it must be an array$/],
  ['a host that would end the line', trunk({ host: 'a\nb' }), /^trunks: \/0\/host must be a host name or an address$/],
  ['a registration without a name', trunk({ auth: 'register' }), /^trunks: main needs a username/],
  [
    'a password that is missing',
    trunk({ name: 'other', auth: 'digest', username: 'x' }),
    /^passwords: the trunk other/,
  ],
  [
    'a password that is missing for a trunk with the name of something that every object has',
    trunk({ name: 'constructor', auth: 'digest', username: 'x' }),
    /^passwords: the trunk constructor/,
  ],
  [
    'a telephone without a password',
    { phones: '[{"number":"+13035550102"}]' },
    /^passwords: the telephone \+13035550102/,
  ],
  ['a telephone with a name and no tenant', phones({ tenant: undefined }), /^phones: front needs a name and a tenant/],
  ['a telephone with the name of a trunk', phones({ name: 'main' }), /^phones: main is the name of a trunk/],
  ['two telephones of one name', phones({}, {}), /^phones: front is there twice/],
  ['a tenant that is no id', phones({ tenant: 'acme' }), /^phones: \/0\/tenant must be the id of a tenant/],
  [
    'extensions of a telephone without a tenant',
    phones({ name: undefined, tenant: undefined, extensions: [{ digits: '101', to: '+13035550102' }] }),
    /^phones: \+13035550101 has extensions, so it needs a tenant/,
  ],
  ['an extension that hides 911', extension('911'), /^phones: front: the extension 911 is an emergency number/],
  ['an extension of one digit', extension('1'), /^phones: \/0\/extensions\/0\/digits must be 2 to 5 digits/],
  ['an extension to a word', extension('101', 'front'), /^phones: \/0\/extensions\/0\/to must be a telephone/],
  [
    'an extension to a telephone of another tenant',
    phones(
      { extensions: [{ digits: '101', to: 'sip_phone:back' }] },
      { name: 'back', tenant: `tnt_${'1'.repeat(26)}` },
    ),
    /^phones: front: the extension 101 leads to sip_phone:back, which is no telephone of its tenant/,
  ],
  [
    'an extension that is there twice',
    phones({ extensions: [101, 101].map((digits) => ({ digits: `${digits}`, to: '+13035550102' })) }),
    /^phones: front: the extension 101 is there twice/,
  ],
  ['an emergency trunk that is not there', { emergency_trunk: 'third' }, /^emergency_trunk: there is no trunk/],
  ['a network that is none', trunk({ match: ['203.0.113.0/64'] }), /^trunks: 203.0.113.0\/64 is no network/],
  ['an address that is a network', { listen_address: '10.0.0.0/8' }, /^listen_address: give an IP address/],
  ['a folder that is not absolute', { config_folder: 'etc' }, /^config_folder: give a folder with its whole path/],
  ['ports that end before they begin', { rtp_ports: '20000-10000' }, /^rtp_ports: /],
];

for (const [name, settings, message] of REFUSED) {
  test(`${name} is refused, with the name of the setting`, () => {
    assert.throws(() => read(settings), { message });
  });
}

test('telephones of one tenant may have one number', () => {
  const passwords = '{"main":"a","front":"b","back":"c"}';
  const both = phones({ extensions: [{ digits: '102', to: 'sip_phone:back' }] }, { name: 'back' });
  const found = read(both, { passwords }).phones;
  assert.deepEqual(
    found.map(({ name, number }) => [name, number]),
    [
      ['front', '+13035550101'],
      ['back', '+13035550101'],
    ],
  );
});

test('no address has a line break', () => {
  assert.equal(read({ dialplane_url: 'http://127.0.0.1:3000/a\nb/' }).dialplaneUrl, 'http://127.0.0.1:3000/ab');
});

test('a password is in no message', () => {
  const passwords = '{"main":"secret of the trunk"}';
  assert.throws(
    () => read({}, { passwords }),
    (error: Error) => error.message.startsWith('passwords: ') && !error.message.includes('secret of'),
  );
});
