import type { OperationTexts } from './operation-text.ts';

/** The console's own API. */
export const CONSOLE_TEXTS: OperationTexts = {
  signIn: {
    description:
      'Signs this browser in with the token of a link, which `dialplane console` prints. The link cannot be used again. ' +
      'The reply sets the cookie `dialplane_console`, which is the session; an earlier session of the browser ends.',
    errors: ['invalid_sign_in_link', 'rate_limited'],
  },
  getSession: { description: 'Returns the session of the cookie, and what the console needs to know first.' },
  signOut: { description: 'Ends the session of the cookie, and removes the cookie.' },
  listSessions: {
    description: 'Returns the sessions in force, newest first: for a session of one account, those of that account.',
  },
  revokeSession: {
    description: 'Ends a session: within five seconds it is refused everywhere, and its sockets end.',
    errors: ['console_session_not_found'],
  },
  listAccounts: {
    description: 'Returns the accounts, newest first. A session of one account gets that account only.',
  },
  createAccount: {
    description: 'Makes an account without keys. Keys are made under `/v1/api_keys` of the account, in each mode.',
  },
  getOpenapiJson: { description: 'Returns this document, for generators of clients.' },
};
