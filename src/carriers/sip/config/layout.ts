/** Where things are on the engine's machine. */
export type EngineLayout = {
  /** The folder of the certificates: sip.crt and sip.key. */
  readonly keys: string;
  /** The certificates that other servers are checked against. */
  readonly caFile: string;
  /** Asterisk's own folders (`astetcdir` and so on), where they are not those of its package. */
  readonly directories: Readonly<Record<string, string>>;
};

/** The layout of Debian's package. */
export const DEBIAN_LAYOUT: EngineLayout = {
  keys: '/etc/asterisk/keys',
  caFile: '/etc/ssl/certs/ca-certificates.crt',
  directories: {},
};
