import assert from 'node:assert/strict';
import { test } from 'node:test';
import { renderEngineFiles } from './engine-files.ts';
import { readSipSettings } from './settings.ts';
import { endpointOfTrunk } from './trunk-endpoints.ts';

const PASSWORDS = {
  ...{ main: 'first;secret', backup: 'second-secret', '+13035550101': 'third-secret' },
  ...{ front: 'fourth', back: 'fifth' },
};

const ARI_PASSWORD = 'a-long-password';

function render(settings: object = {}): ReadonlyMap<string, string> {
  const read = readSipSettings({
    settings: {
      engines: 'a=http://127.0.0.1:8088 b=http://10.0.0.6:8089 c=https://[2001:db8::5]:8090',
      dialplane_url: 'https://voice.example.com',
      trunks: JSON.stringify([
        { name: 'main', host: 'sip.example.com', transport: 'tls', auth: 'register', username: 'clinic' },
        { name: 'backup', host: '203.0.113.9', auth: 'digest', username: 'clinic2', match: ['203.0.113.0/28'] },
        { name: 'pbx', host: '10.0.0.9', transport: 'tcp', codecs: ['alaw'], dtmf: 'info', keepalive_s: 10 },
        { name: 'six', host: '2001:db8::1' },
      ]),
      phones: '[{"number":"+13035550101"}]',
      ...settings,
    },
    credentials: { ari_password: ARI_PASSWORD, passwords: JSON.stringify(PASSWORDS) },
  });
  const [a, b, c] = read.engines.map((engine) => renderEngineFiles(read, engine));
  assert.ok(a && b && c);
  return new Map([
    ...a,
    ['b/http.conf', b.get('http.conf') ?? ''],
    ['c/http.conf', c.get('http.conf') ?? ''],
    ['b/asterisk.conf', b.get('asterisk.conf') ?? ''],
  ]);
}

/** Returns the sections of a file with a name and a type, each without its first line. */
function sectionsOf(text: string | undefined, name: string, type?: string): string[] {
  const blocks = (text ?? '').split(/^\[/m).filter((block) => block.startsWith(`${name}]`));
  return blocks.filter((block) => type === undefined || block.includes(`type = ${type}\n`));
}

/** Returns the name that the engine has for a trunk. */
const trunk = (name: string) => endpointOfTrunk({ ariPassword: ARI_PASSWORD }, name);

const FILES = render();
const pjsip = (name: string, type?: string) => sectionsOf(FILES.get('pjsip.conf'), name, type).join('');

test('a trunk is encrypted as its transport says', () => {
  assert.match(pjsip(trunk('main'), 'endpoint'), /media_encryption = sdes/);
  assert.match(pjsip(trunk('backup'), 'endpoint'), /media_encryption = no/);
  assert.match(pjsip('trunk-main', 'aor'), /contact = sip:sip.example.com\\;transport=tls\n/);
  assert.match(pjsip('trunk-six', 'aor'), /contact = sip:\[2001:db8::1\]\n/);
});

test('a trunk has a port only if the operator gives one', () => {
  const trunks = JSON.stringify([{ name: 'main', host: 'sip.example.com', port: 5_070 }]);
  const [aor = ''] = sectionsOf(render({ trunks }).get('pjsip.conf'), 'trunk-main', 'aor');
  assert.match(aor, /contact = sip:sip.example.com:5070\n/);
});

test("a party that redirects its call cannot guess the engine's name of a trunk: each password gives another", () => {
  const names = ['a-long-password', 'another-password'].flatMap((ariPassword) =>
    ['main', 'pbx'].map((name) => endpointOfTrunk({ ariPassword }, name)),
  );
  assert.equal(new Set(names.map((name) => name.slice(-12))).size, 4);
  for (const name of names) assert.match(name, /^trunk-(main|pbx)-[0-9a-f]{12}$/);
  const written = [...(FILES.get('pjsip.conf') ?? '').matchAll(/^\[(trunk-[^\]]+)\]\ntype = endpoint$/gm)];
  assert.deepEqual(
    written.map(([, name]) => name),
    ['main', 'backup', 'pbx', 'six'].map(trunk),
  );
});

test('a trunk is known by its networks, else by its host', () => {
  assert.match(pjsip('trunk-backup', 'identify'), /match = 203.0.113.0\/28\n/);
  assert.match(pjsip('trunk-main', 'identify'), /match = sip.example.com\n/);
});

test('only a trunk that asks for a password has one', () => {
  assert.match(pjsip('trunk-main', 'auth'), /password = first\\;secret\n/);
  assert.match(pjsip('trunk-backup', 'auth'), /password = second-secret\n/);
  assert.equal(pjsip('trunk-pbx', 'auth'), '');
  assert.doesNotMatch(pjsip(trunk('pbx'), 'endpoint'), /outbound_auth/);
});

test('only a trunk that wants it registers', () => {
  assert.match(pjsip('trunk-main', 'registration'), /client_uri = sip:clinic@sip.example.com\\;transport=tls\n/);
  assert.equal(pjsip('trunk-backup', 'registration'), '');
});

test('codecs, encryption and OPTIONS interval come from the trunk', () => {
  assert.match(pjsip(trunk('pbx'), 'endpoint'), /allow = alaw\n(.*\n)*dtmf_mode = info\n/);
  assert.match(pjsip('trunk-pbx', 'aor'), /qualify_frequency = 10\n/);
});

test('a password is in no file that does not need it', () => {
  const withSecret = (secret: string) => [...FILES].filter(([, text]) => text.includes(secret)).map(([name]) => name);
  assert.deepEqual(withSecret('third-secret'), []);
  assert.deepEqual(withSecret('second-secret'), ['pjsip.conf']);
  assert.deepEqual(withSecret('a-long-password'), ['ari.conf']);
});

test('every engine listens on its own address', () => {
  assert.match(FILES.get('http.conf') ?? '', /bindaddr = 127.0.0.1\nbindport = 8088\n/);
  assert.match(FILES.get('b/http.conf') ?? '', /bindaddr = 10.0.0.6\nbindport = 8089\n/);
  assert.match(FILES.get('c/http.conf') ?? '', /tlsbindaddr = \[2001:db8::5\]:8090\n/);
  assert.match(FILES.get('b/asterisk.conf') ?? '', /systemname = b\n/);
});

test('audio goes to the gateway, encrypted if Dialplane is reached by https', () => {
  const plain = render({ dialplane_url: 'http://127.0.0.1:3000' }).get('websocket_client.conf') ?? '';
  assert.match(plain, /uri = ws:\/\/127.0.0.1:3000\/v1\/ingest\n/);
  assert.match(plain, /tls_enabled = no\n/);
  const secure = FILES.get('websocket_client.conf') ?? '';
  assert.match(secure, /uri = wss:\/\/voice.example.com\/v1\/ingest\n/);
  assert.match(secure, /tls_enabled = yes\nca_list_file = /);
});

test('TLS has a port only if a trunk uses it', () => {
  assert.match(pjsip('transport-tls'), /bind = 127.0.0.1:5061\n/);
  const plain = render({ trunks: '[]' }).get('pjsip.conf') ?? '';
  assert.doesNotMatch(plain, /transport-tls/);
});

test('audio is received on the address for SIP, where that is one of the network', () => {
  const [own = ''] = sectionsOf(render({ listen_address: '10.0.0.5' }).get('pjsip.conf'), trunk('pbx'), 'endpoint');
  assert.match(own, /media_address = 10.0.0.5\nbind_rtp_to_media_address = yes\n/);
  for (const listen_address of ['127.0.0.1', '0.0.0.0']) {
    const [any = ''] = sectionsOf(render({ listen_address }).get('pjsip.conf'), trunk('pbx'), 'endpoint');
    assert.doesNotMatch(any, /media_address/);
  }
});

test('behind a NAT the public address stands in what trunks see', () => {
  const natted = render({ public_address: '198.51.100.4', local_networks: '10.0.0.0/8 192.168.0.0/16' });
  const [udp = ''] = sectionsOf(natted.get('pjsip.conf'), 'transport-udp');
  assert.match(udp, /external_media_address = 198.51.100.4\nexternal_signaling_address = 198.51.100.4\n/);
  assert.match(udp, /local_net = 10.0.0.0\/8\nlocal_net = 192.168.0.0\/16\n/);
});

test('calls to the registered address have the number of the header To', () => {
  const [context = ''] = sectionsOf(FILES.get('extensions.conf'), 'from-outside');
  assert.match(context, /exten => clinic,1,.*\n same => n,Set\(to=/);
  assert.doesNotMatch(context, /clinic2/);
});

test('a telephone reaches 911 and 933 by the engine itself, over the emergency trunk first', () => {
  const files = render({ emergency_trunk: 'pbx' });
  const [endpoint = ''] = sectionsOf(files.get('pjsip.conf'), 'phone-13035550101', 'endpoint');
  assert.match(endpoint, /context = from-phones/);
  const plan = files.get('extensions.conf');
  const [phones = ''] = sectionsOf(plan, 'from-phones');
  for (const form of ['911', '+911', '1911', '+1911'])
    assert.ok(phones.includes(`exten => ${form},1,Goto(emergency,911,1)`));
  const [emergency = ''] = sectionsOf(plan, 'emergency');
  for (const number of ['911', '933']) {
    const tried = [
      ...emergency.matchAll(new RegExp(`Dial\\(PJSIP/${number}@trunk-(\\w+)-[0-9a-f]{12},,i\\)`, 'g')),
    ].map(([, name]) => name);
    assert.deepEqual(tried, ['pbx', 'main', 'backup', 'six']);
  }
  assert.doesNotMatch(emergency, /Stasis/);
});

test('a telephone of a tenant has a name, its own extensions, and all that every telephone can dial', () => {
  const tenant = `tnt_${'0'.repeat(26)}`;
  const extensions = [
    { digits: '102', to: 'sip_phone:back' },
    { digits: '20', to: '+13035550177' },
  ];
  const phones = JSON.stringify([
    { number: '+13035550100', name: 'front', tenant, extensions },
    { number: '+13035550100', name: 'back', tenant },
  ]);
  const files = render({ phones });
  const contextOf = (name: string) =>
    /context = (.*)/.exec(sectionsOf(files.get('pjsip.conf'), name, 'endpoint').join(''))?.[1];
  assert.deepEqual([contextOf('phone-front'), contextOf('phone-back')], ['from-phone-front', 'from-phones']);
  const [own = ''] = sectionsOf(files.get('extensions.conf'), 'from-phone-front');
  assert.deepEqual(own.split('\n').slice(1, 5), [
    'exten => 102,1,Set(CALLERID(name)=front)',
    ' same => n,Goto(extensions,phone-back,1)',
    'exten => 20,1,Goto(from-outside,+13035550177,1)',
    'include => from-phones',
  ]);
  const [connected = ''] = sectionsOf(files.get('extensions.conf'), 'extensions');
  assert.match(connected, /exten => phone-back,1,.*\n.*\n same => n,Dial\(PJSIP\/phone-back,60,i\)\n/);
  assert.doesNotMatch(connected, /Stasis/);
});

test('a caller waits a moment for Dialplane, and an answered leg longer', () => {
  const dialPlan = FILES.get('extensions.conf') ?? '';
  const triesIn = (name: string) => sectionsOf(dialPlan, name)[0]?.match(/\{tries\} > (\d+)/)?.[1];
  assert.equal(triesIn('from-outside'), '16');
  assert.equal(triesIn('answered'), '60');
});

test('the modules that can block the engine are never loaded', () => {
  const modules = FILES.get('modules.conf') ?? '';
  for (const name of ['res_stasis_device_state.so', 'res_ari_device_states.so']) {
    assert.match(modules, new RegExp(`^noload = ${name}$`, 'm'));
    assert.doesNotMatch(modules, new RegExp(`^load = ${name}$`, 'm'));
  }
});

test('the firewall admits the networks of trunks and telephones, and no names', () => {
  const rules = render({ local_networks: '192.168.0.0/16', phone_networks: '198.51.100.7' }).get('sip.nft') ?? '';
  assert.match(rules, /elements = \{ 203.0.113.0\/28, 10.0.0.9, 192.168.0.0\/16, 198.51.100.7 \}/);
  assert.match(rules, /elements = \{ 2001:db8::1 \}/);
  assert.doesNotMatch(rules, /sip.example.com/);
});
