import { PROGRAM } from '../program.ts';
import type { ErrorEntry } from './entry.ts';

/** Codes of the console's own API, a part of `ERRORS`. */
export const CONSOLE_ERRORS = {
  invalid_sign_in_link: {
    status: 401,
    group: 'console',
    message: 'This sign-in link is unknown, expired or used already.',
    remedy: `Each link opens one session. Print another one with "${PROGRAM} console".`,
  },
  not_signed_in: {
    status: 401,
    group: 'console',
    message: 'There is no console session, or it has ended.',
    remedy: `Sign in with a link that "${PROGRAM} console" prints. A session ends after 12 hours, or when it is revoked.`,
  },
  cross_site_request: {
    status: 403,
    group: 'console',
    message: 'This request to the console does not come from the console.',
    remedy:
      'Open the console at the address in PUBLIC_URL. A program sends the header "dialplane-console: 1" with each request that is not a GET, and no Origin of another site.',
  },
  operator_required: {
    status: 403,
    group: 'console',
    message: 'Only an operator of this installation can do this.',
    remedy: `Sign in as an operator: "${PROGRAM} console" without --account prints a link.`,
  },
  user_not_found: {
    status: 404,
    group: 'console',
    message: 'There is no such user.',
    remedy: 'Check the id. A session of one account finds only the users of that account.',
  },
  email_taken: {
    status: 409,
    group: 'console',
    message: 'Another user has this e-mail address.',
    remedy:
      'Change that user, or remove it first. An address can belong to one user only, in one account or as an operator.',
  },
  account_not_found: {
    status: 404,
    group: 'console',
    message: 'There is no such account.',
    remedy: 'Check the id. A session of one account finds no other account.',
  },
  connection_not_found: {
    status: 404,
    group: 'console',
    message: 'There is no such connection to a carrier.',
    remedy: `Check the id. "${PROGRAM} carriers list" lists the connections.`,
  },
  carrier_request_not_found: {
    status: 404,
    group: 'console',
    message: 'There is no such request in doubt at this connection.',
    remedy: 'Read the requests in doubt again: its outcome may have become known.',
  },
  console_session_not_found: {
    status: 404,
    group: 'console',
    message: 'There is no such console session.',
    remedy: 'Check the id. A session that has ended is no longer listed.',
  },
} as const satisfies Record<string, ErrorEntry>;
