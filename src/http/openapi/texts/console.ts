import type { OperationTexts } from './operation-text.ts';

/** The console's own API. */
export const CONSOLE_TEXTS: OperationTexts = {
  signIn: {
    description:
      'Signs this browser in with the token of a link, which the command `console` prints. The link cannot be used again. ' +
      'The reply sets the cookie `dialplane_console`, which is the session; an earlier session of the browser ends.',
    errors: ['invalid_sign_in_link', 'rate_limited'],
  },
  getSignInOptions: { description: 'Returns how people can sign in, for the page that asks them to.' },
  getSession: { description: 'Returns the session of the cookie, and what the console needs to know first.' },
  signOut: { description: 'Ends the session of the cookie, and removes the cookie.' },
  listSessions: {
    description:
      'Returns the sessions in force, newest first: for a session of one account, those of that account; for a user who ' +
      'may not change the account, the own ones.',
  },
  revokeSession: {
    description: 'Ends a session: within five seconds it is refused everywhere, and its sockets end.',
    errors: ['console_session_not_found'],
  },
  listUsers: {
    description: 'Returns the users, newest first. A session of one account gets those of that account.',
    errors: ['key_not_permitted', 'account_not_found'],
  },
  createUser: {
    description:
      'Adds a person, who signs in by the identity provider or by a link. An address is one user. A session of one ' +
      'account adds users of that account, and no operators.',
    errors: ['key_not_permitted', 'operator_required', 'account_not_found', 'email_taken'],
  },
  updateUser: {
    description: 'Gives a user another role or account. Sessions of the user have them within five seconds.',
    errors: ['key_not_permitted', 'operator_required', 'user_not_found', 'account_not_found'],
  },
  deleteUser: {
    description: 'Removes a user: within five seconds the sessions of the user are refused everywhere.',
    errors: ['key_not_permitted', 'user_not_found'],
  },
  createSignInLink: {
    description: 'Makes a link that signs the user in, once, within 15 minutes.',
    errors: ['key_not_permitted', 'user_not_found'],
  },
  listAccounts: {
    description: 'Returns the accounts, newest first. A session of one account gets that account only.',
  },
  createAccount: {
    description: 'Makes an account without keys. Keys are made under `/v1/api_keys` of the account, in each mode.',
  },
  listAccountStandings: {
    description:
      'Returns how live mode of each account stands, newest account first: the balance, what failed in the last 24 ' +
      'hours, and notices that are not settled.',
  },
  suspendAccount: {
    description:
      'Suspends an account: its API requests are refused within five seconds. Inbound texts and running calls go on. A ' +
      'suspended account stays suspended.',
    errors: ['account_not_found'],
  },
  resumeAccount: { description: 'Lifts a suspension.', errors: ['account_not_found'] },
  creditAccount: {
    description: 'Adds money to the balance of live mode. The same reference is credited once.',
    errors: ['account_not_found'],
  },
  speak: {
    description:
      'Speaks a text with the voice of live calls and returns the audio, so that a person hears it before callers do. ' +
      'A session may have ten texts at once, and then one each three seconds.',
    errors: ['rate_limited', 'speech_unavailable'],
  },
  getQueues: {
    description:
      'Returns the jobs of each kind and the lanes of each kind by state, and how long the first has been due. At most ' +
      '10,000 jobs of each queue, the longest due ones, and 10,000 lanes of each kind are counted.',
  },
  listJobs: {
    description:
      'Returns due jobs first, the longest due one first, then the jobs that are due next. It looks at the first 10,000 jobs of ' +
      'each queue.',
  },
  listFailingEndpoints: {
    description:
      'The webhook endpoints of all accounts that fail or were disabled for that, those of live mode first, at most 100.',
    errors: [],
  },
  listNotices: {
    description:
      'Returns the notices where an operator is needed: the unsettled ones first, newest first, then those that were ' +
      'settled last, at most 200. A notice ends with its cause; a call to 911 ends after 24 hours.',
  },
  settleNotice: {
    description:
      'Settles a notice for all operators, for 30 days. A notice that was settled before keeps who settled it, and when.',
    errors: [],
  },
  reopenNotice: {
    description: 'Opens a settled notice again. A notice that is not settled stays as it is.',
    errors: [],
  },
  listConnections: { description: 'Returns the connections to carriers, oldest first, without their credentials.' },
  getConnection: {
    description: 'Returns a connection to a carrier, without its credentials.',
    errors: ['connection_not_found'],
  },
  checkConnection: {
    description:
      'Asks the carrier whether the connection works, with the settings of this database. It changes nothing there.',
    errors: ['connection_not_found'],
  },
  listConnectionTelephones: {
    description:
      'Returns the telephones in the settings of a connection to SIP engines, with their tenants and what each engine ' +
      'says of their registration. A connection of another kind has none.',
    errors: ['connection_not_found'],
  },
  listConnectionOpenRequests: {
    description:
      'Returns requests to the carrier whose outcome is unknown, the oldest first, at most 100. ' +
      'A request of the last minute is not among them.',
    errors: ['connection_not_found'],
  },
  reconcileConnection: {
    description:
      'Records what a person has found out about a request in doubt: the carrier has it, or it does not. What the ' +
      'carrier does not have may be sent again.',
    errors: ['connection_not_found', 'carrier_request_not_found'],
  },
  listConnectionNotices: {
    description:
      "Returns the carrier's latest 50 notices and what became of each. They are kept for 7 days, and looked for among " +
      'the latest 10,000 of all connections.',
    errors: ['connection_not_found'],
  },
  getOpenapiJson: { description: 'Returns this document, for generators of clients.' },
};
