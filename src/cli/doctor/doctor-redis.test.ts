import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { runCommand } from '../../../test/support/cli-process.ts';
import { DATABASE_CERTIFICATE, DATABASE_KEY } from '../../../test/support/database-certificate.ts';
import { freePort } from '../../../test/support/ports.ts';
import { noRedis, runRedis } from '../../../test/support/redis.ts';
import { makeScratch } from '../../../test/support/scratch.ts';

const scratch = makeScratch('doctor-redis');
after(() => scratch.remove());

test('the doctor asks Redis over TLS, and trusts what NODE_EXTRA_CA_CERTS adds', { skip: noRedis }, async () => {
  const [file, port] = [join(scratch.path, 'redis.pem'), await freePort()];
  writeFileSync(file, `${DATABASE_CERTIFICATE}${DATABASE_KEY}`);
  const certificate = ['--tls-cert-file', file, '--tls-key-file', file, '--tls-ca-cert-file', file];
  const server = await runRedis(['--port', '0', '--tls-port', `${port}`, '--tls-auth-clients', 'no', ...certificate]);
  try {
    const ask = async (env: Record<string, string>) => {
      const { out } = await runCommand(['doctor', '--json'], { REDIS_URL: `rediss://localhost:${port}`, ...env });
      return JSON.parse(out).find(({ check }: { check: string }) => check === 'redis').found;
    };
    assert.match(await ask({ NODE_EXTRA_CA_CERTS: file }), /^Redis \d/);
    assert.match(await ask({}), /^REDIS_URL cannot be used: self-signed certificate/);
  } finally {
    await server.kill();
  }
});
