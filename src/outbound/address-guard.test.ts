import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { checkProperty } from '../../test/support/property.ts';
import {
  checkSocketUrl,
  checkTargetUrl,
  classifyAddress,
  isAddressAllowed,
  type TargetUrlProblem,
} from './address-guard.ts';

function reasonFor(url: string, allowLocalHttp = false): TargetUrlProblem | 'ok' {
  const check = checkTargetUrl(url, { allowLocalHttp });
  return check.ok ? 'ok' : check.reason;
}

function messageFor(url: string, allowLocalHttp: boolean): string {
  const check = checkTargetUrl(url, { allowLocalHttp });
  return check.ok ? 'ok' : check.message;
}

describe('classifyAddress', () => {
  const TABLE: Record<string, readonly string[]> = {
    public: ['8.8.8.8', '1.1.1.1', '172.15.255.255', '172.32.0.0', '100.63.255.255', '100.128.0.0', '198.17.255.255'],
    loopback: ['127.0.0.1', '127.255.255.254', '::1'],
    private: ['10.0.0.1', '172.16.0.1', '172.31.255.255', '192.168.1.1', 'fc00::1', 'fdff::1', 'fec0::1'],
    link_local: ['169.254.0.1', '169.254.169.253', 'fe80::1', 'febf::1'],
    shared_nat: ['100.64.0.1', '100.127.255.255'],
    multicast: ['224.0.0.1', '239.255.255.255', 'ff02::1'],
    broadcast: ['255.255.255.255'],
    unspecified: ['0.0.0.0', '0.1.2.3', '::'],
    metadata: [
      '169.254.169.254',
      '100.100.100.200',
      '192.0.0.192',
      '168.63.129.16',
      'fd00:ec2::254',
      'fd00:0ec2::0:254',
    ],
  };
  for (const [expected, addresses] of Object.entries(TABLE)) {
    test(`${addresses.join(' ')} are ${expected}`, () => {
      for (const address of addresses) assert.equal(classifyAddress(address), expected, address);
    });
  }

  test('documentation, benchmarking, anycast and future ranges are reserved', () => {
    const v4 = ['192.0.2.1', '198.51.100.1', '203.0.113.1', '198.18.0.1', '198.19.255.255', '192.0.0.1', '240.0.0.1'];
    const anycast = ['192.88.99.1', '192.175.48.1', '192.31.196.1', '192.52.193.1', '254.255.255.255'];
    const v6 = ['2001:db8::1', '3fff::1', '2001:2::1', '100::1', '5f00::1', '2001:10::1', '2001:20::1', '2001:1ff::1'];
    for (const address of [...v4, ...anycast, ...v6]) assert.equal(classifyAddress(address), 'reserved', address);
  });

  test('IPv6 space that was never allocated is reserved', () => {
    for (const address of ['4000::1', '1::1', 'e000::1', '8000::1']) assert.equal(classifyAddress(address), 'reserved');
  });

  test('global unicast IPv6 is public', () => {
    for (const address of ['2606:4700:4700::1111', '2a00:1450::1', '2001:4860:4860::8888']) {
      assert.equal(classifyAddress(address), 'public');
    }
  });

  test('an IPv4 address embedded in IPv6 is refused', () => {
    const disguises = ['::ffff:127.0.0.1', '::ffff:a00:1', '::127.0.0.1', '::a9fe:a9fe', '::ffff:0:10.0.0.1'];
    const nat64 = ['64:ff9b::127.0.0.1', '64:ff9b::a9fe:a9fe', '64:ff9b::10.0.0.1', '64:ff9b:1::8.8.8.8'];
    const tunnels = ['2002:7f00:1::', '2002:a00:1::1', '2002:808:808::', '2001:0:4136:e378:8000:63bf:3fff:fdd2'];
    for (const address of [...disguises, ...nat64, ...tunnels]) {
      assert.equal(classifyAddress(address), 'translated', address);
    }
  });

  test('a public IPv4 address behind the well-known NAT64 prefix is public', () => {
    assert.equal(classifyAddress('64:ff9b::8.8.8.8'), 'public');
  });

  test('text that is not a plain address is invalid', () => {
    const texts = [
      '',
      'localhost',
      '0177.0.0.1',
      '0x7f.0.0.1',
      '2130706433',
      '127.1',
      '[::1]',
      '1.2.3.4.5',
      '1.2.3.256',
    ];
    for (const text of [...texts, 'fe80::1%eth0', '::1%1', '2606:4700::1%eth0', ' 8.8.8.8']) {
      assert.equal(classifyAddress(text), 'invalid', text);
    }
  });

  test('every address is either refused or in global unicast space', () => {
    checkProperty(
      fc.property(fc.ipV6(), (address) => {
        if (classifyAddress(address) !== 'public') return true;
        const first = Number.parseInt(address.split(':')[0] ?? '', 16);
        return (first >= 0x2000 && first <= 0x3fff) || first === 0x64;
      }),
    );
  });

  test('loopback is allowed only on request, and nothing else with it', () => {
    assert.equal(isAddressAllowed('127.0.0.1', { allowLoopback: false }), false);
    assert.equal(isAddressAllowed('127.0.0.1', { allowLoopback: true }), true);
    assert.equal(isAddressAllowed('::1', { allowLoopback: true }), true);
    for (const address of ['10.0.0.1', '169.254.169.254', '::ffff:127.0.0.1', '0.0.0.0', '::1%lo']) {
      assert.equal(isAddressAllowed(address, { allowLoopback: true }), false, address);
    }
  });
});

describe('checkTargetUrl', () => {
  test('https URLs of names and public addresses are accepted, on any port', () => {
    for (const url of [
      'https://example.com/hooks?a=1',
      'https://example.com:8443',
      'https://8.8.8.8/',
      'https://bücher.example/',
    ]) {
      assert.equal(reasonFor(url), 'ok', url);
    }
    assert.equal(reasonFor('https://[2606:4700:4700::1111]/'), 'ok');
    assert.equal(reasonFor('https://example.com./'), 'ok');
  });

  test('an internal address is refused in every notation', () => {
    const hosts = ['127.0.0.1', '2130706433', '0x7f.1', '0177.0.0.1', '127.1', '0x7f000001', '127.0.0.1.', '10.1', '0'];
    const disguised = ['①②⑦.0.0.1', '%31%32%37.0.0.1', '169.254.169.254', '[::1]', '[::ffff:127.0.0.1]', '[::]'];
    const v6 = ['[64:ff9b::7f00:1]', '[2002:7f00:1::]', '[fd00:ec2::254]', '[fe80::1]', '100.64.0.1'];
    for (const host of [...hosts, ...disguised, ...v6]) assert.equal(reasonFor(`https://${host}/`), 'host', host);
  });

  test('localhost is refused under all its names', () => {
    for (const host of ['localhost', 'LOCALHOST', 'localhost.', 'a.localhost', 'a.b.LocalHost.']) {
      assert.equal(reasonFor(`https://${host}/`), 'host', host);
    }
    assert.equal(reasonFor('https://localhost.example.com/'), 'ok');
    assert.equal(reasonFor('https://notlocalhost.example/'), 'ok');
  });

  test('names without a dot and those of private networks are refused, with and without the root dot', () => {
    for (const host of ['receiver', 'RECEIVER.', 'a.internal', 'internal', 'printer.local', 'a.b.Home.Arpa.']) {
      assert.equal(reasonFor(`https://${host}/`), 'host', host);
      assert.equal(reasonFor(`https://${host}/`, true), 'host', `${host}, with local http`);
    }
    for (const host of ['internal.example.com', 'local.example', 'notinternal.com', 'arpa.example', 'xlocal.com']) {
      assert.equal(reasonFor(`https://${host}/`), 'ok', host);
    }
  });

  test('other schemes are refused', () => {
    for (const url of ['http://example.com/', 'ftp://example.com/', 'file:///etc/passwd', 'javascript:alert(1)']) {
      assert.equal(reasonFor(url), 'scheme', url);
    }
  });

  test('a URL without https:// says how it must begin, and mentions http:// only where it is accepted', () => {
    const live = 'The URL must begin with https://.';
    const local = 'The URL must begin with https://, or with http:// for localhost.';
    for (const url of [
      'localhost:8080/hooks',
      'example.com/hooks',
      '/hooks',
      'ftp://example.com/',
      'http://example.com/',
    ]) {
      assert.deepEqual([messageFor(url, false), messageFor(url, true)], [live, local], url);
    }
    assert.equal(messageFor('https://', true), 'The URL is not valid.');
  });

  test('credentials, port 0 and over-long URLs are refused', () => {
    assert.equal(reasonFor('https://user:secret@example.com/'), 'credentials');
    assert.equal(reasonFor('https://user@example.com/'), 'credentials');
    assert.equal(reasonFor('https://example.com:0/'), 'port');
    assert.equal(reasonFor(`https://example.com/${'a'.repeat(2028)}`), 'ok');
    assert.equal(reasonFor(`https://example.com/${'a'.repeat(2029)}`), 'too_long');
  });

  test('a URL whose text differs from its parsed address is malformed', () => {
    const texts = [
      '',
      'example.com',
      'https://',
      ' https://example.com',
      'https://exa\nmple.com',
      'https://exa\tmple.com',
    ];
    for (const text of [
      ...texts,
      'https:\\\\example.com',
      'https://example.com\\@127.0.0.1/',
      'https://[::1%25eth0]/',
      'https://a..',
    ]) {
      assert.equal(reasonFor(text), 'malformed', JSON.stringify(text));
    }
  });

  test('with local http, loopback hosts are accepted over http and https', () => {
    for (const host of ['127.0.0.1:8080', '127.9.9.9', '[::1]:3000', 'localhost:4242', 'app.localhost']) {
      assert.equal(reasonFor(`http://${host}/hook`, true), 'ok', host);
      assert.equal(reasonFor(`https://${host}/hook`, true), 'ok', host);
      assert.notEqual(reasonFor(`http://${host}/hook`, false), 'ok', host);
    }
  });

  test('with local http, anything but loopback still needs https and a public host', () => {
    for (const host of ['example.com', '192.168.0.10', '8.8.8.8', '0.0.0.0', '[::ffff:127.0.0.1]']) {
      assert.equal(reasonFor(`http://${host}/`, true), 'scheme', host);
    }
    assert.equal(reasonFor('https://192.168.0.10/', true), 'host');
    assert.equal(reasonFor('http://u:p@localhost/', true), 'credentials');
  });
});

test('the address of a WebSocket is judged as that of a request, and has no fragment', () => {
  const judge = (url: string, allowLocalWs = false) => {
    const check = checkSocketUrl(url, { allowLocalWs });
    return check.ok ? check.url.href : check.reason;
  };
  assert.equal(judge('WSS://agent.example/a?b=c'), 'wss://agent.example/a?b=c');
  assert.equal(judge('ws://localhost:8080/', true), 'ws://localhost:8080/');
  const refused: [string, TargetUrlProblem][] = [
    ['ws://localhost:8080/', 'scheme'],
    ['ws://agent.example/', 'scheme'],
    ['https://agent.example/', 'scheme'],
    ['wss://127.0.0.1/', 'host'],
    ['wss://169.254.169.254/', 'host'],
    ['wss://agent.example/#a', 'malformed'],
    [`wss://agent.example/${'a'.repeat(2048)}`, 'too_long'],
  ];
  for (const [url, reason] of refused) assert.equal(judge(url), reason, url);
});
