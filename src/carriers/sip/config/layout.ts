/** The paths on the engine's machine. */
export type EngineLayout = {
  /** The folder of the certificates: sip.crt and sip.key. */
  readonly keys: string;
  /** The certificates that verify other servers. */
  readonly caFile: string;
  /** Asterisk's own folders (`astetcdir` and so on), where they differ from its package's. */
  readonly directories: Readonly<Record<string, string>>;
};

/** The layout of Debian's package. */
export const DEBIAN_LAYOUT: EngineLayout = {
  keys: '/etc/asterisk/keys',
  caFile: '/etc/ssl/certs/ca-certificates.crt',
  directories: {},
};
