/** How the event socket says why it ends. Codes from 4000 are the application's own (RFC 6455, 7.4.2). */
export const CLOSE = {
  /** The token is absent, altered, of another kind or already expired, or its key has ended. Said after the handshake, as browsers do not
   * show pages the status of a refused one. */
  badToken: [4401, 'invalid or expired token'],
  /** The token's hour is over while connected. */
  tokenExpired: [4408, 'token expired'],
  /** The client reads more slowly than events arrive. */
  slowReader: [4429, 'reading too slowly'],
  /** This node has all the sockets of the ledger that it takes (IANA: Try Again Later). */
  tooManySockets: [1013, 'too many sockets'],
  /** It cannot be seen at the moment whether the token's key is still good (IANA: Try Again Later). */
  unchecked: [1013, 'try again later'],
  /** The node is going away; connect again (IANA: Service Restart). */
  restart: [1012, 'service restart'],
} as const satisfies Readonly<Record<string, readonly [code: number, reason: string]>>;
