/** How an outgoing request can fail before its response is complete. A closed list, fit for a metric's label. */
export const OUTBOUND_FAILURES = [
  'blocked_address',
  'dns',
  'connect',
  'tls',
  'timeout',
  'reset',
  'protocol',
  'aborted',
] as const;
export type OutboundFailure = (typeof OUTBOUND_FAILURES)[number];

const PUBLIC_MESSAGES: Readonly<Record<OutboundFailure, string>> = {
  blocked_address: 'The host does not resolve to public addresses only, so no connection was made.',
  dns: 'The host name could not be resolved.',
  connect: 'The connection could not be opened.',
  tls: 'The TLS handshake failed.',
  timeout: 'No complete response arrived in time.',
  reset: 'The connection was closed before a complete response arrived.',
  protocol: 'The response was not valid HTTP.',
  aborted: 'The request was cancelled before it finished.',
};

/**
 * A request that got no complete response. `message` is a sentence that may be shown to the owner of the target: it
 * names no address and no internal detail. `cause` has the detail and belongs in the log.
 */
export class OutboundError extends Error {
  readonly kind: OutboundFailure;

  constructor(kind: OutboundFailure, options: { message?: string; cause?: unknown } = {}) {
    super(options.message ?? PUBLIC_MESSAGES[kind], options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'OutboundError';
    this.kind = kind;
  }
}

const FAILURE_OF_CODE: Readonly<Record<string, OutboundFailure>> = {
  ENOTFOUND: 'dns',
  EAI_AGAIN: 'dns',
  ECONNREFUSED: 'connect',
  EHOSTUNREACH: 'connect',
  EHOSTDOWN: 'connect',
  ENETUNREACH: 'connect',
  ENETDOWN: 'connect',
  EADDRNOTAVAIL: 'connect',
  EACCES: 'connect',
  EPERM: 'connect',
  EMFILE: 'connect',
  EPROTO: 'tls',
  HOSTNAME_MISMATCH: 'tls',
  ETIMEDOUT: 'timeout',
  UND_ERR_CONNECT_TIMEOUT: 'timeout',
  UND_ERR_HEADERS_TIMEOUT: 'timeout',
  UND_ERR_BODY_TIMEOUT: 'timeout',
  ECONNRESET: 'reset',
  EPIPE: 'reset',
  UND_ERR_SOCKET: 'reset',
  UND_ERR_ABORTED: 'aborted',
  UND_ERR_DESTROYED: 'aborted',
  UND_ERR_CLOSED: 'aborted',
};

/** Codes of OpenSSL and Node for a handshake or certificate that was refused. */
const TLS_CODE =
  /^(ERR_TLS_|ERR_SSL_|ERR_OSSL_|CERT_|CRL_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|INVALID_(CA|PURPOSE)|PATH_)/;

function codeOf(error: unknown): string {
  if (typeof error !== 'object' || error === null || !('code' in error)) return '';
  return typeof error.code === 'string' ? error.code : '';
}

/** Classifies an error of a socket, the TLS layer or the HTTP client. */
export function toOutboundError(error: unknown): OutboundError {
  if (error instanceof OutboundError) return error;
  const code = codeOf(error);
  const kind = FAILURE_OF_CODE[code] ?? (TLS_CODE.test(code) ? 'tls' : 'protocol');
  if (code === 'UND_ERR_CONNECT_TIMEOUT' || code === 'ETIMEDOUT') {
    return new OutboundError(kind, { message: 'The connection could not be opened in time.', cause: error });
  }
  return new OutboundError(kind, { cause: error });
}
