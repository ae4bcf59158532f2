import { Resources } from './generated/resources.ts';
import { HttpTransport, type TransportOptions } from './transport.ts';

export { DialplaneError } from './errors.ts';
export type * from './generated/requests.ts';
export type * from './generated/resources.ts';
export type * from './generated/schemas.ts';
export { type ListReply, Page, Pages } from './pages.ts';
export { HttpTransport } from './transport.ts';

/** Options of {@link createResources}. */
export type ResourcesOptions = TransportOptions & {
  /** Headers of each request. A page has no API key: its server knows the caller by a cookie, or by a token. */
  headers?: Readonly<Record<string, string>> | undefined;
};

/**
 * The API for a page in a browser, without an API key. The requests go to `baseUrl`, a server that knows the caller and
 * hands them to the API.
 */
export function createResources({ headers = {}, ...options }: ResourcesOptions): Resources {
  return new Resources(new HttpTransport(options, headers));
}
