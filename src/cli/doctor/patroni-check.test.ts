import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { closeAfterTests } from '../../../test/support/close-after-tests.ts';
import { freePort } from '../../../test/support/ports.ts';
import { checkPatroni, keepsToItsTurn } from './patroni-check.ts';

/** Serves a text at the path of Patroni's REST API. Returns the address. */
async function serve(text: string): Promise<string> {
  const server = createServer((_, response) => response.end(text)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  closeAfterTests(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const statusOf = (version: string) =>
  JSON.stringify({ state: 'running', role: 'replica', patroni: { version, scope: 'dialplane', name: 'db2' } });

test('a Patroni before 3.1 is a bad finding with the next step, a later one is good', async () => {
  const addresses = [await serve(statusOf('3.0.2')), await serve(statusOf('4.0.5'))];
  const [old, recent] = await checkPatroni(addresses);
  assert.deepEqual([old?.state, recent?.state], ['bad', 'good']);
  assert.match(old?.found ?? '', /^3\.0\.2 /);
  assert.match(old?.advice ?? '', /3\.1 or later/);
  assert.equal(old?.check, `Patroni at ${addresses[0]}`);
});

test('an address without an answer, or with that of another program, is a bad finding that says so', async () => {
  const none = `http://127.0.0.1:${await freePort()}`;
  const findings = await checkPatroni([none, await serve('hello'), await serve(' '.repeat(100_000)), 'no address']);
  assert.deepEqual(
    findings.map(({ state }) => state),
    ['bad', 'bad', 'bad', 'bad'],
  );
  assert.match(findings[0]?.found ?? '', /ECONNREFUSED/);
  assert.match(findings[1]?.found ?? '', /does not come from Patroni/);
});

test('the version that keeps to its turn begins at 3.1', () => {
  const versions = ['2.1.9', '3.0.4', '3.1.0', '3.3.6', '4.0.0rc1', '10.0'];
  assert.deepEqual(versions.filter(keepsToItsTurn), ['3.1.0', '3.3.6', '4.0.0rc1', '10.0']);
});
