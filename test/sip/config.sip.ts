/** The files of `carriers setup` on a real engine, and `carriers check` against it. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFile, rename } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { WebSocket, WebSocketServer } from 'ws';
import { createEngineClient } from '../../src/carriers/sip/ari-client.ts';
import { checkSip } from '../../src/carriers/sip/config/check.ts';
import { endpointOfTrunk } from '../../src/carriers/sip/config/trunk-endpoints.ts';
import { openEventSocket } from '../../src/carriers/sip/event-socket.ts';
import { textAt } from '../../src/lib/json-object.ts';
import { closeAfterTests } from '../support/close-after-tests.ts';
import { silentLog, until } from '../support/jobs.ts';
import { freePort } from '../support/ports.ts';
import { missing } from '../support/programs.ts';
import { sleep } from '../support/stepping-time.ts';
import { openPeer } from './config/sip-peer.ts';
import { startEngine } from './engine.ts';
import { targetOf } from './sip-text.ts';
import { startDnsServer } from './world/dns-server.ts';

const provider = await openPeer('127.0.0.2');
const registrar = await openPeer('127.0.0.6');
const phone = await openPeer('127.0.0.1', { isDeaf: true });
const stranger = await openPeer('127.0.0.9');
const ringing = await openPeer('127.0.0.13', { rings: true });
// Providers that publish their addresses and ports in DNS (RFC 3263, 4), so the settings have neither.
const [listed, pointed] = [await openPeer('127.0.0.11'), await openPeer('127.0.0.12')];
await startDnsServer({
  '_sip._udp.listed.example': [{ type: 'SRV', port: listed.port, target: 'edge.listed.example' }],
  'edge.listed.example': [{ type: 'A', address: listed.address }],
  'pointed.example': [{ type: 'NAPTR', service: 'SIP+D2U', replacement: '_sip._udp.calls.example' }],
  '_sip._udp.calls.example': [{ type: 'SRV', port: pointed.port, target: 'edge.calls.example' }],
  'edge.calls.example': [{ type: 'A', address: pointed.address }],
});
const gateway = new WebSocketServer({ host: '127.0.0.1', port: 0, handleProtocols: () => 'media' });
await once(gateway, 'listening');
const CONNECTED_MS = 60_000;
/** The ring time of a trunk with its own setting. */
const RINGS_S = 15;
const RESTARTED_MS = 30_000;
const LOAD = new URL('../../deploy/asterisk/load.sh', import.meta.url);
closeAfterTests(() => gateway.close());
const { port: gatewayPort } = gateway.address() as AddressInfo;

const engine = await startEngine({
  dialplaneUrl: `http://127.0.0.1:${gatewayPort}`,
  settings: {
    trunks: JSON.stringify([
      { name: 'main', host: provider.address, port: provider.port, keepalive_s: 5 },
      { name: 'silent', host: '127.0.0.3', port: await freePort(), auth: 'digest', username: 'clinic2' },
      // The engine checks this trunk once an hour. So it does not notice that the trunk is gone, and tries the call.
      { name: 'mute', host: '127.0.0.6', port: await freePort(), keepalive_s: 3_600 },
      { name: 'ringing', host: ringing.address, port: ringing.port, keepalive_s: 5 },
      { name: 'away', host: registrar.address, port: registrar.port, auth: 'register', username: 'desert' },
      { name: 'closed', host: '127.0.0.4', transport: 'tls', codecs: ['opus', 'g722'], dtmf: 'inband' },
      { name: 'listed', host: 'listed.example', keepalive_s: 5 },
      { name: 'pointed', host: 'pointed.example', match: [pointed.address], keepalive_s: 5 },
      { name: 'local', host: '127.0.0.5', transport: 'tcp', auth: 'register', username: 'clinic' },
    ]),
    phones: '[{"number":"+13035550101"}]',
    public_address: '198.51.100.4',
    local_networks: '127.0.0.0/8',
    rtp_ports: '22000-22998',
  },
  credentials: {
    passwords: JSON.stringify({ silent: 'semi;colon', away: 'x', local: '>secret', '+13035550101': 'red;one' }),
  },
});
closeAfterTests(engine.close);
const { client, settings } = engine;
const connection = { name: 'lab', settings, engines: new Map([['a', client]]) };
const found = async () => {
  const findings = await checkSip(connection);
  return new Map(findings.map(({ check, state, found: what }) => [check, `${state}: ${what}`]));
};

/** The engine has the application a moment after a socket of its events has opened. */
const untilKnown = () =>
  until('the engine knows the application', async () => {
    const path = '/applications/dialplane';
    return (await client.ask({ method: 'GET', path })).is === 'answered';
  });

test('the engine starts with the files without a complaint', async () => {
  const lines = engine
    .readLog()
    .split('\n')
    .filter((line) => /WARNING|ERROR/.test(line));
  // Some trunks do not exist, so registrations fail.
  assert.deepEqual(
    lines.filter((line) => !/res_pjsip_outbound_registration|pjproject/.test(line)),
    [],
  );
});

test('check finds the version, the modules and the recording folder', async () => {
  const findings = await found();
  assert.match(findings.get('engine a') ?? '', /^good: Asterisk 22\./);
  assert.match(findings.get('engine a: modules') ?? '', /^good: /);
  assert.equal(findings.get('engine a: recordings'), 'good: the folder is there');
  assert.match(findings.get('engine a: files') ?? '', /^note: /);
  assert.match(findings.get('telephones') ?? '', /^note: .* 911 and 933 over trunk main/);
});

test('check tells a trunk that answers from one that does not', async () => {
  await until(
    'the provider was asked',
    async () => (await found()).get('engine a: trunk main') === 'good: answers',
    20_000,
  );
  const silent = async () => (await found()).get('engine a: trunk silent');
  await until('the silent one was asked', async () => (await silent()) === 'bad: no answer');
});

test('a provider is found where its records in DNS say, over SRV and NAPTR', async () => {
  const to = { user: '+13035559999', port: settings.sipPort };
  const called = listed.ask({ method: 'INVITE', user: '+13035550199', to });
  for (const name of ['listed', 'pointed']) {
    const find = async () => (await found()).get(`engine a: trunk ${name}`);
    await until(`${name} was asked`, async () => (await find()) === 'good: answers', 20_000);
  }
  // No process is connected to the engine, so the provider may try its next route. A stranger would get 401.
  assert.match(await called, /^SIP\/2.0 503 /, 'its calls are known by the address in its records');
});

test('check names a wrong password, and an engine that is not there', async () => {
  const [{ url } = { url: '' }] = settings.engines;
  const wrongly = async (password: string, address: string) => {
    const other = createEngineClient({ name: 'a', url: address, password, connection: 'ccn_test', log: silentLog });
    const findings = await checkSip({ ...connection, engines: new Map([['a', other]]) });
    await other.close();
    return findings.find(({ check }) => check === 'engine a')?.found;
  };
  assert.equal(await wrongly('another-password', url), 'the password is wrong');
  assert.equal(await wrongly(settings.ariPassword, `http://127.0.0.1:${await freePort()}`), 'cannot be reached');
});

test('check finds a module that can block the engine, and one that is missing', async () => {
  const load = (method: 'POST' | 'DELETE', module: string) =>
    client.ask({ method, path: `/asterisk/modules/${module}.so` });
  await load('POST', 'res_stasis_device_state');
  assert.match((await found()).get('engine a: modules') ?? '', /^bad: loaded, .*res_stasis_device_state.so/);
  await load('DELETE', 'res_stasis_device_state');
  await load('DELETE', 'res_pjsip_rfc3326');
  assert.equal((await found()).get('engine a: modules'), 'bad: not loaded: res_pjsip_rfc3326.so');
  await load('POST', 'res_pjsip_rfc3326');
  assert.match((await found()).get('engine a: modules') ?? '', /^good: /);
});

test('check finds that recordings have no folder', async () => {
  const folder = `${engine.folder}/spool/recording`;
  await rename(folder, `${folder}-away`);
  assert.equal((await found()).get('engine a: recordings'), 'bad: the folder cannot be read');
  await rename(`${folder}-away`, folder);
});

let registeredMs = 0;

test('a telephone registers with its password, and with no other', async () => {
  const to = { user: '', port: settings.sipPort };
  const register = (password: string) => phone.ask({ method: 'REGISTER', user: 'phone-13035550101', to, password });
  assert.match(await register('blue'), /^SIP\/2.0 401 /);
  assert.match(await register('red;one'), /^SIP\/2.0 200 /);
  registeredMs = performance.now();
});

test('a provider is answered when it asks whether the engine works, whatever name it asks for', async () => {
  const ask = (method: 'OPTIONS' | 'INVITE', user: string) =>
    provider.ask({ method, user: '+13035550199', to: { user, port: settings.sipPort } });
  for (const user of ['ping', 'Monitor-1', '+13035550100']) assert.match(await ask('OPTIONS', user), /^SIP\/2.0 200 /);
  assert.match(await ask('INVITE', 'ping'), /^SIP\/2.0 404 /);
});

test('a call to the registered address comes from anywhere, with the number of the header To', async () => {
  const registration = () => registrar.requests.find((request) => request.startsWith('REGISTER '));
  await until('the trunk has registered', () => registration() !== undefined);
  const uri = targetOf(registration() ?? '') ?? '';
  const events: string[] = [];
  const listener = new WebSocket(client.eventsUrl);
  listener.on('message', (message) => events.push(String(message)));
  await once(listener, 'open');
  const to = { user: '+13035550177', port: settings.sipPort };
  const sbc = await openPeer('127.0.0.7');
  const replied = sbc.ask({ method: 'INVITE', user: '+13035550166', to, uri });
  const started = () => events.map((event) => JSON.parse(event)).find(({ type }) => type === 'StasisStart');
  await until('the call arrives', () => started() !== undefined);
  assert.deepEqual(started().args.slice(0, 2).map(decodeURIComponent), ['arrival', '+13035550177']);
  assert.match(started().channel.name, /^PJSIP\/trunk-away-/);
  await client.ask({ method: 'DELETE', path: `/channels/${started().channel.id}` });
  assert.match(await replied, /^SIP\/2.0 [4-6]/);
  listener.close();
});

test("a stranger's call is challenged, and makes no channel", async () => {
  const to = { user: '+13035550100', port: settings.sipPort };
  assert.match(await stranger.ask({ method: 'INVITE', user: '+13035550199', to }), /^SIP\/2.0 401 /);
  // An earlier call may still be ending.
  await until('no channel is left', async () => (await engine.listChannels()).length === 0);
});

test('an INVITE that a trunk does not answer at all is given up long before the 32 seconds of RFC 3261', async () => {
  const listener = new WebSocket(client.eventsUrl);
  await once(listener, 'open');
  await untilKnown();
  /** Calls a trunk. Returns a function that is true once the engine has ended the call. */
  const call = async (trunk: string, timeout: number) => {
    const path = `/channels/of-${trunk}`;
    const query = {
      endpoint: `PJSIP/+13035550102@${endpointOfTrunk(settings, trunk)}`,
      app: 'dialplane',
      timeout: String(timeout),
    };
    const called = await client.ask({ method: 'POST', path, query });
    assert.equal(called.is, 'answered', JSON.stringify(called));
    return async () => (await client.ask({ method: 'GET', path })).is === 'refused';
  };
  const startedAt = performance.now();
  // By the engine's clock, the first call ends before the second, even on a slow machine.
  const isOver = await call('mute', 60);
  const isReferenceOver = await call('ringing', RINGS_S);
  await until('the engine has given it up', isOver);
  assert.ok(!(await isReferenceOver()), `it was tried for longer than ${RINGS_S} s`);
  const tookMs = performance.now() - startedAt;
  assert.ok(tookMs > 5_000, `${tookMs} ms`);
  await until('the other rings no more', isReferenceOver);
  listener.close();
});

test('a telephone that has registered is called, also one that does not answer when it is asked', async () => {
  // Longer than an engine waits for the answer to OPTIONS.
  await sleep(Math.max(0, registeredMs + 3_500 - performance.now()));
  const to = { user: '', port: settings.sipPort };
  const registered = await phone.ask({ method: 'REGISTER', user: 'phone-13035550101', to, password: 'red;one' });
  assert.match(registered, /^SIP\/2.0 200 (?:.*\r\n)*Contact: .*expires=(?:[1-5]\d|60)\r/m);
  const path = '/channels/of-the-telephone';
  const query = { endpoint: 'PJSIP/phone-13035550101', app: 'dialplane', timeout: '30' };
  const listener = new WebSocket(client.eventsUrl);
  await once(listener, 'open');
  await untilKnown();
  assert.equal((await client.ask({ method: 'POST', path, query })).is, 'answered');
  await until('it rings', () => phone.requests.some((request) => request.startsWith('INVITE ')));
  await client.ask({ method: 'DELETE', path });
  listener.close();
});

test('audio goes to the gateway, with control messages in JSON', async () => {
  const listener = new WebSocket(client.eventsUrl);
  await once(listener, 'open');
  const signal = AbortSignal.timeout(CONNECTED_MS);
  // The engine sends its first message as soon as it is connected.
  const spoken = new Promise<unknown[]>((resolve, reject) => {
    gateway.once('connection', (socket) => once(socket, 'message', { signal }).then(resolve, reject));
  });
  const connected = once(gateway, 'connection', { signal });
  const query = {
    ...{ app: 'dialplane', channelId: 'x-media', external_host: 'dialplane', transport: 'websocket' },
    ...{ encapsulation: 'none', format: 'ulaw', transport_data: 'v(call=c1,token=t1)' },
  };
  const made = await client.ask({ method: 'POST', path: '/channels/externalMedia', query });
  assert.equal(made.is, 'answered', JSON.stringify(made));
  const [, request] = await connected;
  assert.equal(request.url, '/v1/ingest?call=c1&token=t1');
  const [message] = await spoken;
  assert.equal(JSON.parse(String(message)).event, 'MEDIA_START');
  await client.ask({ method: 'DELETE', path: '/channels/x-media' });
  listener.close();
});

test('the kernel takes the rules for strangers, and takes them again', { skip: missing('nft') }, () => {
  const load = `nft -f ${engine.folder}/etc/sip.nft`;
  const { status, stderr } = spawnSync('unshare', ['--net', 'sh', '-c', `${load} && ${load}`], { encoding: 'utf8' });
  assert.equal(status, 0, stderr);
});

test('a socket of events opens, and the engine sends it no events that are not read', async () => {
  const events: string[] = [];
  const socket = await openEventSocket({ client, log: silentLog, onEvent: ({ type }) => events.push(type) });
  const query = {
    endpoint: `PJSIP/+13035550102@${endpointOfTrunk(settings, 'main')}`,
    app: 'dialplane',
    timeout: '60',
  };
  const body = { variables: { color: 'red' } };
  await untilKnown();
  await client.ask({ method: 'POST', path: '/channels/of-the-list', query, body });
  // A later test reads this INVITE. A call that ends at once may end before the engine has sent it.
  await until('the provider is called', () => provider.requests.some((request) => request.startsWith('INVITE ')));
  await client.ask({ method: 'DELETE', path: '/channels/of-the-list' });
  await until('the end is heard', () => events.includes('ChannelDestroyed'));
  assert.deepEqual(
    [...new Set(events)].filter((type) => !/^(Channel(Destroyed|StateChange)|Dial)$/.test(type)),
    [],
  );
  socket.close();
  await socket.closed;
});

test('a provider learns no name of another trunk, and whom it connects none at all', () => {
  const markOf = (trunk: string) => endpointOfTrunk(settings, trunk).slice(-12);
  const marks = settings.trunks.map(({ name }) => markOf(name));
  for (const [{ requests }, trunk] of [
    [provider, 'main'],
    [registrar, 'away'],
  ] as const) {
    const others = marks.filter((mark) => mark !== markOf(trunk));
    assert.deepEqual(
      requests.filter((request) => others.some((mark) => request.includes(mark))),
      [],
    );
  }
  // OPTIONS contains the name of the provider's own trunk. Only INVITE is passed on.
  const invites = provider.requests.filter((request) => request.startsWith('INVITE '));
  assert.ok(invites.length > 0);
  assert.deepEqual(
    invites.filter((request) => request.includes(markOf('main'))),
    [],
  );
});

test('an engine that waits for its restart connects calls of telephones to 911, and restarts when no call is up', async () => {
  const startedAt = async () => {
    const info = await client.ask({ method: 'GET', path: '/asterisk/info', query: { only: 'status' } });
    return info.is === 'answered' ? textAt(info.body, 'status', 'startup_time') : undefined;
  };
  const before = await startedAt();
  const query = {
    endpoint: `PJSIP/+13035550102@${endpointOfTrunk(settings, 'ringing')}`,
    app: 'dialplane',
    timeout: '120',
  };
  const listener = new WebSocket(client.eventsUrl);
  await once(listener, 'open');
  await untilKnown();
  const made = await client.ask({ method: 'POST', path: '/channels/that-rings', query });
  assert.equal(made.is, 'answered', JSON.stringify(made));
  const [, command = assert.fail('load.sh restarts no engine')] =
    /asterisk -rx "(core restart .+?)"/.exec(await readFile(LOAD, 'utf8')) ?? [];
  const restart = engine.command(command);
  closeAfterTests(restart.kill);
  await until('it waits', () => restart.output().includes('Waiting for inactivity'));
  const to = { user: '911', port: settings.sipPort };
  const over = phone.ask({ method: 'INVITE', user: 'phone-13035550101', to, password: 'red;one' });
  await until('the provider gets the call', () => provider.requests.some((each) => each.startsWith('INVITE sip:911@')));
  assert.equal(await startedAt(), before);
  for (const id of await engine.listIds('channels')) await client.ask({ method: 'DELETE', path: `/channels/${id}` });
  assert.match(await over, /^SIP\/2.0 [4-6]/);
  listener.close();
  const isNew = async () => ![before, undefined].includes(await startedAt());
  await until('the engine has restarted', isNew, RESTARTED_MS);
});
