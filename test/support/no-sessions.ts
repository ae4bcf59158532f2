import type { SessionDirectory } from '../../src/http/edge/authenticate.ts';

/** The session directory of an installation without any signed-in user. */
export const NO_SESSIONS: SessionDirectory = {
  form: /^none$/,
  hash: (secret) => Buffer.from(secret),
  find: async () => undefined,
  findLedger: async () => undefined,
};
