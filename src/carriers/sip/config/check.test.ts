import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, test } from 'node:test';
import { silentLog } from '../../../../test/support/jobs.ts';
import { createEngineClient } from '../ari-client.ts';
import { checkSip } from './check.ts';
import { readSipSettings } from './settings.ts';

/** The version that the engine reports. It reports nothing else. */
let version = '';
const server = createServer((request, reply) => {
  reply.setHeader('content-type', 'application/json');
  reply.end(JSON.stringify(request.url?.startsWith('/ari/asterisk/info') ? { system: { version } } : []));
}).listen(0, '127.0.0.1');
await once(server, 'listening');
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
const client = createEngineClient({ name: 'a', url, password: 'p', connection: 'ccn_test', log: silentLog });
after(async () => {
  await client.close();
  server.close();
});

const settings = readSipSettings({
  settings: { engines: `a=${url}`, dialplane_url: 'http://127.0.0.1:1', trunks: '[]' },
  credentials: { ari_password: 'a-long-password' },
});

for (const [running, state] of [
  ['20.19.0', 'bad'],
  ['22.8.2~dfsg-1', 'bad'],
  ['22.9.0', 'good'],
  ['22.10.1~dfsg+~cs6.15.60671435-1', 'good'],
  ['23.2.1', 'bad'],
  ['23.3.0', 'good'],
  ['24.0.0', 'good'],
  ['certified-22.8-cert2', 'bad'],
] as const)
  test(`check finds Asterisk ${running} ${state}`, async () => {
    version = running;
    const findings = await checkSip({ name: 'lab', settings, engines: new Map([['a', client]]) });
    const found = findings.find(({ check }) => check === 'engine a');
    assert.deepEqual([found?.state, found?.found], [state, `Asterisk ${running}`]);
  });
