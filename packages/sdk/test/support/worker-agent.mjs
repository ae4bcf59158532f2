/** The Worker of the tests: an agent of text that also calls the API. workerd.ts builds the Worker from this file. */
import { Dialplane } from './sdk/index.js';
import { createRelay } from './sdk/relay.js';

const heard = [];

/** Says a text word by word, as a model does, until it is stopped. */
async function* countUp(signal) {
  signal.addEventListener('abort', () => heard.push(`stopped: ${signal.reason.message}`));
  for (let n = 1; n <= 1_000; n += 1) {
    yield `${n}. `;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

export const accept = createRelay({
  onSetup: ({ customParameters }) => `Hello ${customParameters.name}, how can I help you?`,
  onPrompt: ({ voicePrompt }, _session, signal) => {
    if (voicePrompt === 'Count.') return countUp(signal);
    if (voicePrompt === 'What was that?') return heard.join();
    return `You said: ${voicePrompt}`;
  },
  onInterrupt: ({ utteranceUntilInterrupt }) => void heard.push(`heard: ${utteranceUntilInterrupt}`),
  onDtmf: ({ digit }, session) => session.end({ digit }),
  onError: ({ description }) => heard.push(description),
});

/** Returns the names of the account's tenants. */
export async function listTenants({ API_KEY: apiKey, BASE_URL: baseUrl }) {
  const names = [];
  for await (const { name } of new Dialplane({ apiKey, baseUrl }).tenants.list()) names.push(name);
  return Response.json(names);
}
