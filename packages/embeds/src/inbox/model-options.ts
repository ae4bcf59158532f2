import type { Api } from '../api.ts';
import type { Contacts } from '../contacts.ts';

/** What the inbox needs from its element. */
export type ModelOptions = {
  readonly api: Api;
  readonly contacts: Contacts;
  /** Returns the tenant of the page, if the page has set it. */
  readonly tenant: () => string | undefined;
  /** Returns the reader of the session; null without one. */
  readonly reader: () => string | null;
  /** Called after each change. */
  readonly onChange: () => void;
  /** Called with each text that arrives. */
  readonly onArrival: (from: string, body: string) => void;
};
