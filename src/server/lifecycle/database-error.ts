/** Why a DATABASE_URL cannot be used, and the next step. */
export type DatabaseProblem = { problem: string; nextStep: string };

const ADDRESS = 'Check the address, or leave DATABASE_URL unset to use the embedded PostgreSQL.';
const CERTIFICATE =
  'Name the authority that signed it with sslrootcert=FILE in the address, or have it signed for that host name.';

/** Texts by error code. The codes are those of the system, of TLS, and of PostgreSQL (its appendix A). */
const CODES: Readonly<Record<string, readonly [problem: string, nextStep?: string]>> = {
  ECONNREFUSED: ['nothing listens there'],
  ECONNRESET: ['the server there closes the connection', 'Check that host and port are those of a PostgreSQL server.'],
  ENOTFOUND: ['the host name does not resolve'],
  EAI_AGAIN: ['the host name does not resolve at the moment'],
  ETIMEDOUT: ['it does not answer'],
  EHOSTUNREACH: ['there is no way to that host'],
  ENETUNREACH: ['there is no way to that network'],
  ENOENT: ['there is no such socket, or no such file as the address names'],
  EACCES: ['this user may not open the socket or a file that the address names'],
  CERT_HAS_EXPIRED: ["the server's certificate has expired", 'Renew the certificate of the server.'],
  DEPTH_ZERO_SELF_SIGNED_CERT: ["the server's certificate is not trusted", CERTIFICATE],
  SELF_SIGNED_CERT_IN_CHAIN: ["the server's certificate is not trusted", CERTIFICATE],
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: ["the server's certificate is not trusted", CERTIFICATE],
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: ["the server's certificate is not trusted", CERTIFICATE],
  ERR_TLS_CERT_ALTNAME_INVALID: ["the server's certificate is for another host name", CERTIFICATE],
  TRANSACTION_POOLER: [
    'it leads to a pooler in transaction mode, which does not keep sessions',
    'Use the address of the server itself, or of a pooler in session mode; DATABASE_CONNECTIONS limits the connections of each process.',
  ],
  '25006': [
    'the server is a standby, which takes no writes',
    'Use an address that leads to the primary, such as a proxy that asks the servers for their role.',
  ],
  '28P01': [
    'the password is wrong',
    'Check user and password; characters other than letters and digits are written percent-encoded (@ is %40).',
  ],
  '28000': ['this user must not log in', 'Check the user, and pg_hba.conf of the server.'],
  '3D000': ['this database does not exist', 'Create it first: createdb NAME.'],
  '42501': ['this user may not create tables there', 'Make the user the owner of the database.'],
  '53300': ['the server has no free connection', 'Raise max_connections of the server, or run fewer processes.'],
  '57P03': ['the server is starting or stopping', 'Start again in a moment.'],
};

/** Errors of the driver without a code. */
const MESSAGES: readonly (readonly [RegExp, problem: string, nextStep: string])[] = [
  [
    /does not support SSL/,
    'the server does not speak TLS, which sslmode asks for',
    'Switch TLS on at the server, or remove sslmode from the address if the network can be trusted.',
  ],
  [
    /establishing an SSL connection|Connection terminated unexpectedly|invalid response|unexpected message/i,
    'the server there does not answer like PostgreSQL',
    'Check that host and port are those of a PostgreSQL server (its own port is 5432).',
  ],
  [
    /timeout expired|timeout exceeded|Connection terminated due to connection timeout/,
    'it does not answer',
    'Check that host and port are those of a PostgreSQL server, and that no firewall is in between.',
  ],
  [
    /no pg_hba|SASL|password must be a string/,
    'the server asks for a password, and the address has none',
    'Put it into the address: postgres://USER:PASSWORD@HOST/NAME.',
  ],
];

/** Explains an error in words, without the password. Undefined if the error is not about reaching the database. */
export function explainDatabaseError(error: unknown, databaseUrl: string): DatabaseProblem | undefined {
  const [problem, nextStep = ADDRESS] = findDatabaseProblem(error) ?? [];
  if (problem === undefined) return undefined;
  return { problem: `DATABASE_URL (${withoutPassword(databaseUrl)}) cannot be used: ${problem}.`, nextStep };
}

/** Returns why a database cannot be reached. Returns a next step too if this reason has a special one. */
export function findDatabaseProblem(error: unknown): readonly [problem: string, nextStep?: string] | undefined {
  // All addresses of the host have failed.
  if (error instanceof AggregateError) return findDatabaseProblem(error.errors[0]);
  if (!(error instanceof Error)) return undefined;
  const known = 'code' in error ? CODES[String(error.code)] : undefined;
  if (known !== undefined) return known;
  const [, problem, nextStep] = MESSAGES.find(([pattern]) => pattern.test(error.message)) ?? [];
  return problem === undefined || nextStep === undefined ? undefined : [problem, nextStep];
}

/** Removes the password. This also works for an address with a socket folder, which has no host and is not a URL. */
function withoutPassword(databaseUrl: string): string {
  return databaseUrl.replace(/^(\w+:\/\/[^:@/]*):.*@/, '$1@').replace(/([?&]password=)[^&]*/i, '$1…');
}
