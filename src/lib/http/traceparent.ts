// W3C Trace Context, 3.2.2: version, trace id, parent id and flags; an id of zeros and version ff are invalid.
const FORM = /^(?!ff)[0-9a-f]{2}-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/;

/** Returns the trace context of a request from its `traceparent` header; null without one, and for an invalid one. */
export function readTraceparent(header: string | string[] | undefined): string | null {
  return typeof header === 'string' && FORM.test(header) ? header : null;
}
