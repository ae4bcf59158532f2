/** State that the ports of one connection to Telnyx share. */
import type { Logger } from 'pino';
import type { Database } from '../../../db/database.ts';
import type { Book } from '../../book/book.ts';
import type { TelnyxClient } from './client.ts';

export type TelnyxLine = {
  readonly db: Database;
  readonly log: Logger;
  readonly book: Book;
  readonly client: TelnyxClient;
  readonly connectionId: string;
  /** The address that Telnyx sends reports to. */
  readonly reportUrl: string;
  /** The fallback address. Telnyx sends a report here if the first address did not accept it. */
  readonly failoverUrl: string;
  /** Returns the id of the call control application of the connection; undefined if there is none. */
  readonly findApplication: () => Promise<string | undefined>;
};
