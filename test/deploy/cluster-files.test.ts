/** The files of deploy/ha name the same machines, and their times fit together. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { missing } from '../support/programs.ts';

const place = (name: string) => fileURLToPath(new URL(`../../deploy/ha/${name}`, import.meta.url));
const read = (name: string) => readFileSync(place(name), 'utf8');

type Patroni = {
  etcd3: { hosts: string[] };
  bootstrap: { dcs: { ttl: number; loop_wait: number; retry_timeout: number; synchronous_mode: boolean } };
  watchdog: { mode: string; safety_margin: number };
};

test('the machines of etcd, Patroni and HAProxy are the same', () => {
  const { etcd3 } = parse(read('patroni.yml')) as Patroni;
  const hosts = etcd3.hosts.map((host) => host.replace(':2379', ''));
  const balanced = [...read('haproxy.cfg').matchAll(/^ {2}server \w+ ([\d.]+):5432$/gm)];
  const members = [...read('etcd.env').matchAll(/db\d=http:\/\/([\d.]+):2380/g)];
  assert.equal(hosts.length, 3);
  assert.deepEqual(
    balanced.map(([, host]) => host),
    hosts,
  );
  assert.deepEqual(
    members.map(([, host]) => host),
    hosts,
  );
});

test('commits wait for a standby, a machine without a watchdog is no primary, and it ends before its lock', () => {
  const { bootstrap, watchdog } = parse(read('patroni.yml')) as Patroni;
  const { ttl, loop_wait, retry_timeout, synchronous_mode } = bootstrap.dcs;
  assert.ok(loop_wait + 2 * retry_timeout <= ttl);
  assert.deepEqual([synchronous_mode, watchdog.mode], [true, 'required']);
  assert.ok(watchdog.safety_margin > 0 && watchdog.safety_margin < ttl);
});

const skip = missing('haproxy');

test('HAProxy accepts its file, and ends connections to a machine that is not the primary any more', { skip }, () => {
  execFileSync('haproxy', ['-c', '-f', place('haproxy.cfg')], { stdio: 'pipe' });
  assert.match(read('haproxy.cfg'), /on-marked-down shutdown-sessions/);
});
