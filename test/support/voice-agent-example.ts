/** The voice agent example in a separate process, for a number of the test. */
import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { startService } from './examples.ts';
import type { Harness } from './harness.ts';
import { until } from './jobs.ts';
import type { Line } from './numbers.ts';

const LIMIT_MS = 30_000;

/** The agent's first words. */
export const GREETING =
  'Hello, you have reached the clinic. How can I help you? Press 1 for a person, or 2 to leave a message.';

/** Starts the example for the time of a test. `printed` waits until it has printed a text. */
export async function useVoiceAgent(
  context: TestContext,
  { harness, line }: { harness: Harness; line: Line },
  env: Record<string, string>,
) {
  const settings = { DIALPLANE_KEY: harness.account.test_key, DIALPLANE_NUMBER: line.number.id };
  const agent = await startService(harness, 'voice-agent', { ...settings, ...env });
  context.after(async () => {
    agent.stop();
    await agent.ended;
  });
  const printed = async (line: string) => {
    const has = () => agent.output().includes(line);
    await until(`the agent prints: ${line}`, has, LIMIT_MS).catch((error) =>
      assert.fail(`${error}\n${agent.output()}`),
    );
  };
  await printed('waiting for calls');
  return { ...agent, text: agent.output, printed };
}
