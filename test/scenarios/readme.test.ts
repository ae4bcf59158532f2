import assert from 'node:assert/strict';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { decodeWav } from '../../src/audio/wav.ts';
import { after as schedule } from '../../src/lib/time/time.ts';
import { type Harness, startHarness } from '../support/harness.ts';
import { until } from '../support/jobs.ts';
import { freePort } from '../support/ports.ts';
import { missing } from '../support/programs.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const WAIT_MS = 60_000;

let harness: Harness;
let shell: ChildProcess | undefined;
let folder: string;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'dialplane-readme-'));
  harness = await startHarness();
});
after(async () => {
  if (shell?.pid !== undefined) process.kill(-shell.pid, 'SIGKILL');
  await harness.close();
  await rm(folder, { recursive: true });
});

/** Returns the README's shell blocks after the one that starts the server, with this test's server and ports. */
function readmeScript(receiverPort: number, audioFile: string): string {
  const text = readFileSync(`${ROOT}README.md`, 'utf8');
  const blocks = [...text.matchAll(/^```sh\n(.*?)^```$/gms)].map((match) => match[1] as string);
  const script = blocks.slice(1).join('\necho\n');
  assert.ok(blocks.length >= 6, 'the README has no examples');
  return script
    .replaceAll('http://localhost:8080', harness.url)
    .replace('voicemail.wav', audioFile)
    .replaceAll('localhost:9000', `localhost:${receiverPort}`)
    .replace(/KEY=\$\(.*\)/, `KEY=${harness.account.test_key}`)
    .replace(
      '"$SECRET" &',
      `"$SECRET" ${receiverPort} &\nwhile ! (echo > /dev/tcp/127.0.0.1/${receiverPort}) 2>/dev/null; do :; done`,
    );
}

test("the README's commands end in webhooks whose signatures verify", {
  skip: missing('bash') || missing('curl'),
}, async () => {
  let output = '';
  const audioFile = join(folder, 'voicemail.wav');
  const run = spawn('bash', ['-e', '-c', `${readmeScript(await freePort(), audioFile)}\nwait`], {
    cwd: ROOT,
    detached: true,
  });
  shell = run;
  const seen = new Promise<void>((resolve, reject) => {
    const look = (chunk: Buffer) => {
      output += chunk.toString('utf8');
      if (WANTED.every((line) => line.test(output))) resolve();
    };
    run.stdout?.on('data', look);
    run.stderr?.on('data', look);
    run.on('exit', () => reject(new Error(`the commands ended early:\n${output}`)));
    schedule(WAIT_MS, () => reject(new Error(`not all arrived in ${WAIT_MS} ms:\n${output}`))).unref();
  });
  await seen;
  const { sampleRateHz, pcm } = decodeWav(await untilWritten(audioFile));
  assert.equal(sampleRateHz, 8_000);
  assert.ok(pcm.length / 8_000 > 2.5 && pcm.some((sample) => Math.abs(sample) > 1_000), 'the recording has no speech');
});

test("the README's `json` prints a field of a reply; for a refused request it prints the error and fails", {
  skip: missing('bash'),
}, () => {
  const [definition] = /^json\(\) \{.*?^\}$/ms.exec(readFileSync(`${ROOT}README.md`, 'utf8')) ?? [];
  assert.ok(definition !== undefined, 'the README has no `json` function');
  const take = (field: string, reply: object) =>
    spawnSync('bash', ['-c', `${definition}\njson '${field}'`], { input: JSON.stringify(reply), encoding: 'utf8' });
  const taken = take('data[0].id', { data: [{ id: 'num_1' }] });
  assert.deepEqual([taken.status, taken.stdout, taken.stderr], [0, 'num_1\n', '']);
  const refused = take('id', { error: { code: 'tenant_not_found', message: 'There is no such tenant.' } });
  assert.deepEqual([refused.status, refused.stdout], [1, '']);
  assert.match(refused.stderr, /tenant_not_found.*There is no such tenant\./s);
});

/** Waits until curl has written the whole WAV file, and returns it. */
async function untilWritten(path: string): Promise<Uint8Array> {
  let bytes: Uint8Array = new Uint8Array();
  await until('the voicemail is fetched', () => {
    bytes = existsSync(path) ? readFileSync(path) : bytes;
    return bytes.length > 44 && bytes.length === 44 + Buffer.from(bytes).readUInt32LE(40);
  });
  return bytes;
}

const WANTED = [
  /"status":"queued"/,
  /message\.delivered {2}msg_\w+ {2}signature verified/,
  /message\.received {2}msg_\w+ {2}signature verified/,
  /opt_out\.created .*signature verified/,
  /"accepted":false.*recipient_opted_out/,
  /call\.gather .*signature verified/,
  /"segments":\[.*we will be there at three/,
  /call\.completed {2}call_\w+ {2}signature verified/,
  /call\.summary {2}call_\w+ {2}signature verified/,
  /voicemail\.created {2}vm_\w+ {2}signature verified/,
];
