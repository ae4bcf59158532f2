/** The voice agent example as its own process, with a webhook endpoint of its own. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import type { TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import { closeAfterTests } from './close-after-tests.ts';
import { register } from './events.ts';
import type { Harness } from './harness.ts';
import { until } from './jobs.ts';
import { freePort } from './ports.ts';

const EXAMPLE = fileURLToPath(new URL('../../examples/voice-agent.mjs', import.meta.url));
const LIMIT_MS = 30_000;

/** What the agent says first. */
export const GREETING =
  'Hello, you have reached the clinic. How can I help you? Press 1 for a person, or 2 to leave a message.';

/** Starts the example with these settings. Returns what it has printed so far, and its exit code. */
export function runVoiceAgent(env: Record<string, string>) {
  const child = spawn(process.execPath, [EXAMPLE], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env['PATH'], ...env },
  });
  closeAfterTests(async () => void child.kill('SIGKILL'));
  let text = '';
  for (const output of [child.stdout, child.stderr]) output.on('data', (chunk) => (text += chunk));
  return { text: () => text, code: () => child.exitCode, kill: () => child.kill('SIGKILL') };
}

/** Starts the example for the time of a test. `printed` waits until it has printed a text. */
export async function useVoiceAgent(context: TestContext, harness: Harness, env: Record<string, string>) {
  const PORT = String(await freePort());
  const { id, secret } = await register(harness, { url: `http://127.0.0.1:${PORT}/` });
  const settings = { API: `${harness.url}/v1`, KEY: harness.account.test_key, PORT, WEBHOOK_SECRET: secret };
  const agent = runVoiceAgent({ ...settings, ...env });
  context.after(async () => {
    agent.kill();
    assert.ok((await harness.call('DELETE', `/v1/webhook_endpoints/${id}`)).status < 300);
  });
  const printed = async (line: string) => {
    const has = () => agent.text().includes(line);
    await until(`the agent prints: ${line}`, has, LIMIT_MS).catch((error) => assert.fail(`${error}\n${agent.text()}`));
  };
  await printed('waiting for calls');
  return { ...agent, printed };
}
