/**
 * Database addresses. TLS follows libpq: `sslmode`, `sslrootcert`, `sslcert` and `sslkey` of the address have the same
 * meaning as for psql. The driver reads some of them differently, so they are removed from the address that the driver
 * gets.
 */
import { existsSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { ConnectionOptions } from 'node:tls';
import pg from 'pg';

/** How a connection uses TLS; false for none. */
type TlsUse = false | ConnectionOptions;

export type DatabaseAddress = {
  /** The address without TLS parameters. */
  readonly connectionString: string;
  /** Ways to connect, one or two, in the order of the attempts. */
  readonly tlsUses: readonly TlsUse[];
};

/** An address has TLS parameters that cannot be used. `message` is a sentence without the password. */
export class DatabaseAddressError extends Error {
  override readonly name = 'DatabaseAddressError';
}

const SSL_MODES = ['disable', 'allow', 'prefer', 'require', 'verify-ca', 'verify-full'] as const;
type SslMode = (typeof SSL_MODES)[number];

const TLS_PARAMETERS = ['ssl', 'sslmode', 'sslrootcert', 'sslcert', 'sslkey', 'uselibpqcompat'] as const;

/** Parameters of libpq that are refused. Ignoring them would weaken the check that the operator asked for. */
const UNSUPPORTED = ['sslcrl', 'sslcrldir', 'sslpassword'] as const;

/** The file that libpq reads if no `sslrootcert` is given. */
const USUAL_ROOT_CERT = join(homedir(), '.postgresql', 'root.crt');

/**
 * Reads a `postgres://` address.
 * @throws DatabaseAddressError if `sslmode` is unknown, or a file that it names cannot be read
 */
export function readDatabaseAddress(url: string): DatabaseAddress {
  const [base = '', query = ''] = url.split('?', 2);
  const parameters = new URLSearchParams(query);
  for (const name of UNSUPPORTED) {
    if (parameters.has(name)) throw new DatabaseAddressError(`${name} is not supported: remove it from the address`);
  }
  const given = Object.fromEntries(TLS_PARAMETERS.map((name) => [name, parameters.get(name) ?? undefined]));
  for (const name of TLS_PARAMETERS) parameters.delete(name);
  const connectionString = parameters.size === 0 ? base : `${base}?${parameters}`;
  const modes = readTls(given);
  // TLS does not apply to a Unix socket, as in libpq.
  const isSocket = new pg.Client({ connectionString }).host.startsWith('/');
  return { connectionString, tlsUses: isSocket ? [false] : modes };
}

type TlsParameters = Partial<Record<(typeof TLS_PARAMETERS)[number], string>>;

function readTls(given: TlsParameters): TlsUse[] {
  const { sslrootcert } = given;
  const mode = readMode(given);
  const files = { ...fileOf('cert', given.sslcert, 'sslcert'), ...fileOf('key', given.sslkey, 'sslkey') };
  const unverified: TlsUse = { ...files, rejectUnauthorized: false };
  switch (mode) {
    case 'disable':
      return [false];
    case 'allow':
      return [false, unverified];
    case 'prefer':
      return [unverified, false];
    case 'require': {
      const ca = readRootCert(sslrootcert);
      return [ca === undefined ? unverified : verifiesAuthority(files, ca)];
    }
    case 'verify-ca': {
      const ca = readRootCert(sslrootcert);
      if (ca === undefined) throw new DatabaseAddressError('sslmode=verify-ca needs sslrootcert=FILE');
      return [verifiesAuthority(files, ca)];
    }
    case 'verify-full':
      return [{ ...files, ...(sslrootcert !== 'system' && fileOfRoot(sslrootcert)) }];
  }
}

function readMode({ ssl, sslmode, sslrootcert }: TlsParameters): SslMode {
  const asked = sslmode ?? (ssl === 'true' ? 'require' : undefined);
  const fallback = sslrootcert === 'system' ? 'verify-full' : 'prefer';
  const mode = SSL_MODES.find((candidate) => candidate === (asked ?? fallback));
  if (mode === undefined) {
    throw new DatabaseAddressError(`sslmode is "${asked}"; give one of ${SSL_MODES.join(', ')}`);
  }
  if (sslrootcert === 'system' && mode !== 'verify-full') {
    throw new DatabaseAddressError(`sslrootcert=system needs sslmode=verify-full, not ${mode}`);
  }
  return mode;
}

/** Checks that the authority signed the certificate, for any host name. */
function verifiesAuthority(options: ConnectionOptions, ca: Buffer): ConnectionOptions {
  return { ...options, ca, checkServerIdentity: () => undefined };
}

/** Without a file, the authorities that Node trusts are used. */
function fileOfRoot(sslrootcert: string | undefined): { ca?: Buffer } {
  const ca = readRootCert(sslrootcert);
  return ca === undefined ? {} : { ca };
}

function readRootCert(sslrootcert: string | undefined): Buffer | undefined {
  if (sslrootcert !== undefined) return readFile(sslrootcert, 'sslrootcert');
  return existsSync(USUAL_ROOT_CERT) ? readFile(USUAL_ROOT_CERT, 'sslrootcert') : undefined;
}

function fileOf(option: 'cert' | 'key', path: string | undefined, parameter: string): ConnectionOptions {
  return path === undefined ? {} : { [option]: readFile(path, parameter) };
}

function readFile(path: string, parameter: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    const reason = error instanceof Error && 'code' in error ? String(error.code) : String(error);
    throw new DatabaseAddressError(`${parameter} names "${path}", a file that cannot be read (${reason})`);
  }
}
