import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { runCommand } from '../../../test/support/cli-process.ts';
import { DATABASE_CERTIFICATE, DATABASE_KEY } from '../../../test/support/database-certificate.ts';
import { freePort } from '../../../test/support/ports.ts';
import { describeOnEachRedis, runRedis } from '../../../test/support/redis.ts';
import { makeScratch } from '../../../test/support/scratch.ts';

const scratch = makeScratch('doctor-redis');
after(() => scratch.remove());

describeOnEachRedis((program) => {
  test('the doctor asks Redis over TLS, and trusts what NODE_EXTRA_CA_CERTS adds', async () => {
    const name = program === 'redis-server' ? /^Redis \d/ : /^Valkey \d/;
    const [file, port] = [join(scratch.path, 'redis.pem'), await freePort()];
    writeFileSync(file, `${DATABASE_CERTIFICATE}${DATABASE_KEY}`);
    const tls = ['--tls-port', `${port}`, '--tls-auth-clients', 'no', '--tls-ca-cert-file', file];
    const pair = ['--tls-cert-file', file, '--tls-key-file', file];
    const server = await runRedis(program, ['--port', '0', ...tls, ...pair]);
    try {
      const ask = async (env: Record<string, string>) => {
        const { out } = await runCommand(['doctor', '--json'], { REDIS_URL: `rediss://localhost:${port}`, ...env });
        return JSON.parse(out).find(({ check }: { check: string }) => check === 'redis').found;
      };
      assert.match(await ask({ NODE_EXTRA_CA_CERTS: file }), name);
      assert.match(await ask({}), /^REDIS_URL cannot be used: self-signed certificate/);
    } finally {
      await server.kill();
    }
  });
});
