import type { SessionDirectory } from '../../src/http/edge/authenticate.ts';

/** The directory of an installation to whose console nobody is signed in. */
export const NO_SESSIONS: SessionDirectory = {
  form: /^none$/,
  hash: (secret) => Buffer.from(secret),
  find: async () => undefined,
  findLedger: async () => undefined,
};
