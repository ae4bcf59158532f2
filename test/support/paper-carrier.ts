import type { AdapterKind } from '../../src/carriers/adapter.ts';

/** The key that the paper carrier accepts. */
export const PAPER_KEY = 'paper-key-of-tests';

/** A kind of carrier for tests of the operator's commands: it knows its key, and carries nothing. */
export const PAPER_KIND: AdapterKind = {
  description: {
    kind: 'paper',
    capabilities: ['numbers', 'messaging', 'voice'],
    settings: [
      { name: 'region', isRequired: true, description: 'Where the account is, such as us.' },
      { name: 'profile', isRequired: false, description: 'The profile of texts.' },
    ],
    credentials: [{ name: 'api_key', isRequired: true, description: 'The key of the account.' }],
    validate: ({ settings }) => {
      if (settings['region'] === 'mars') throw new Error('region: there is no region mars');
    },
  },
  make: () => ({
    connect: ({ settings, credentials }) => ({
      carrier: { name: 'paper' },
      check: async () => [
        credentials['api_key'] === PAPER_KEY
          ? { check: 'key', state: 'good', found: `accepted in ${settings['region']}` }
          : { check: 'key', state: 'bad', found: 'refused', advice: 'Make a new key at the carrier.' },
      ],
      setup: async () => {
        if (settings['profile'] === 'none') throw new Error('profile: there is no profile none');
        return ['Made the profile "dialplane".'];
      },
    }),
  }),
};
