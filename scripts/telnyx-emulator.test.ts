import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const SCRIPT = fileURLToPath(new URL('telnyx-emulator.ts', import.meta.url));

test('npm run telnyx:emulator prints its address, its keys and five requests that work', async (t) => {
  const child = spawn(process.execPath, [SCRIPT, '--port', '0', '--key', 'KEY1'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  t.after(() => child.kill('SIGKILL'));
  let printed = '';
  for await (const chunk of child.stdout) {
    printed += chunk;
    if (printed.includes('Ctrl-C')) break;
  }
  assert.match(printed, /API key {5}KEY1\n/);
  assert.match(printed, /public key {2}[\w+/]{43}=\n/);
  assert.equal(printed.match(/^ {2}curl /gm)?.length, 5);
  const [, url = ''] = /API {9}(\S+)/.exec(printed) ?? [];
  const reply = await fetch(`${url}/phone_numbers`, { headers: { authorization: 'Bearer KEY1' } });
  const { data } = (await reply.json()) as { data: { phone_number: string }[] };
  assert.ok(printed.includes(`${data[0]?.phone_number}\n`));
});
