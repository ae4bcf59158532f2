/** The test world itself: telephones call each other through a dialplan, without the product. */
import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { samplesOf } from '../../src/audio/pcm.ts';
import { sine } from '../../src/audio/tones.ts';
import { closeAfterTests } from '../support/close-after-tests.ts';
import { until } from '../support/jobs.ts';
import { tonesIn } from '../support/tone-power.ts';
import { startEngine } from './engine.ts';
import { makeJailFolder } from './jail.ts';
import { openNetwork } from './world/network.ts';
import { Phone } from './world/phone.ts';

const run = promisify(execFile);
const numbers = ['+13035550101', '+13035550102'] as const;

async function openWorld() {
  const network = await openNetwork();
  closeAfterTests(network.close);
  // Without the product, one telephone calls the other by its number.
  const dialplan = `[from-phones]\nexten => _+X.,1,Dial(PJSIP/phone-$\{EXTEN:1},30)\n`;
  const engine = await startEngine({
    settings: {
      phones: JSON.stringify(numbers.map((number) => ({ number }))),
      listen_address: network.engineAddress,
      rtp_ports: '21000-21999',
    },
    credentials: { passwords: JSON.stringify(Object.fromEntries(numbers.map((number) => [number, `of${number}`]))) },
    files: { 'extensions.conf': dialplan },
  });
  const phones: Phone[] = [];
  const close = async () => {
    for (const phone of phones.splice(0)) await phone.close();
    await engine.close();
    await network.close();
  };
  closeAfterTests(close);
  return {
    ...{ network, engine, close },
    phone: async (number: string, more: Partial<Parameters<typeof Phone.start>[0]>) => {
      const address = `${network.engineAddress}:${engine.sipPort}`;
      const user = `phone-${number.slice(1)}`;
      const phone = await Phone.start({ network, user, engine: address, password: `of${number}`, ...more });
      phones.push(phone);
      return phone;
    },
  };
}

const tone = (frequencyHz: number) => sine({ frequencyHz, samples: samplesOf(60_000), amplitude: 8_000 });

test('two telephones hear each other through the engine, and keys arrive', async () => {
  const world = await openWorld();
  const caller = await world.phone(numbers[0], { says: tone(500) });
  const called = await world.phone(numbers[1], { says: tone(700) });
  await caller.dial(numbers[1]);
  await called.waitFor('CALL_INCOMING');
  assert.ok(called.isRinging && !caller.isTalking);
  await called.answer();
  await until('both hear the other', () => caller.hears(700) && called.hears(500), 15_000);
  assert.ok(!caller.hears(500) && !called.hears(700));
  assert.equal((await world.engine.listChannels()).length, 2);
  await caller.press('15#');
  await until('the keys arrive', () => called.keys === '15#');
  await called.hangUp();
  await caller.waitForEnd();
  assert.deepEqual(tonesIn(called.heard(), [500, 600, 700]), [500]);
  await until('no channel is left', async () => (await world.engine.listChannels()).length === 0);
});

test('an engine that is killed can be started again, and nothing of a world stays', async () => {
  const world = await openWorld();
  const { namespace } = world.network;
  await world.engine.kill();
  await assert.rejects(world.engine.listChannels());
  await world.engine.start();
  const phone = await world.phone(numbers[0], { answers: 'at once' });
  await phone.dial('+13035550199');
  assert.match(await phone.waitForEnd(), /^\d{3} /);
  await world.close();
  assert.ok(!(await run('ip', ['netns'])).stdout.includes(namespace));
  assert.ok(!(await run('ip', ['link'])).stdout.includes(`${namespace}a`));
});

test('the programs and folders of a test process that is killed go with it', async () => {
  const source = `
    const { makeJailFolder, startJailed } = await import(${JSON.stringify(new URL('./jail.ts', import.meta.url).href)});
    const { outside } = makeJailFolder();
    const { process: child } = startJailed('sleep', ['600']);
    child.once('spawn', () => console.log(JSON.stringify({ pid: child.pid, outside })));
  `;
  const parent = spawn(process.execPath, ['--input-type=module-typescript', '--eval', source], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const line = await new Promise<string>((resolve) => parent.stdout.once('data', (text) => resolve(String(text))));
  const { pid, outside } = JSON.parse(line) as { pid: number; outside: string };
  await until('the program runs', () => readFileSync(`/proc/${pid}/cmdline`, 'utf8').startsWith('sleep'));
  assert.ok(existsSync(outside));
  const ended = once(parent, 'exit');
  parent.kill('SIGKILL');
  await ended;
  await until('the program has ended', () => !existsSync(`/proc/${pid}`));
  // Another test process may already have removed it.
  makeJailFolder().remove();
  assert.ok(!existsSync(outside));
});
