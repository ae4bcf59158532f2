import { DialplaneError } from './errors.ts';
import { Resources } from './generated/resources.ts';
import { isBrowser } from './runtime.ts';
import { HttpTransport, type TransportOptions } from './transport.ts';

/** Options of the client. */
export type DialplaneOptions = TransportOptions & {
  /** The key of an account or of a tenant. The constructor refuses undefined, the value of an unset variable. */
  apiKey: string | undefined;
  /**
   * If true, the client also works in a browser: for a page that only you open, or a runtime that looks like a browser.
   */
  allowBrowser?: boolean | undefined;
};

/** The API of an installation, with a key of an account or of a tenant. For servers. */
export class Dialplane extends Resources {
  constructor(options: DialplaneOptions) {
    if (options?.allowBrowser !== true) refuseBrowser();
    if (typeof options?.apiKey !== 'string' || !/^[\x21-\x7e]+$/.test(options.apiKey)) {
      throw new DialplaneError('invalid_argument', 'apiKey is missing or is no key.');
    }
    super(new HttpTransport(options, { authorization: `Bearer ${options.apiKey}` }));
  }
}

/** A key in a page or in a worker of a page can be read by all who open the page. */
function refuseBrowser(): void {
  if (!isBrowser()) return;
  throw new DialplaneError(
    'api_key_in_browser',
    'An API key does not belong in a browser: everyone who opens the page could read it. Call the API from your ' +
      'server, and give the page a token (events.createRealtimeToken, webClients.createToken). If this is no page, ' +
      'set allowBrowser.',
  );
}
