import type { SessionDirectory } from '../../src/http/edge/authenticate.ts';

/** The session directory of an installation with no signed-in users. */
export const NO_SESSIONS: SessionDirectory = {
  form: /^none$/,
  hash: (secret) => Buffer.from(secret),
  find: async () => undefined,
  findLedger: async () => undefined,
};
