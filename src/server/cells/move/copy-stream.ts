/**
 * COPY from one connection to another, in the binary format. The driver can send and read the messages of COPY, but has
 * no function for a whole copy.
 */
import type { Client, Connection, Submittable } from 'pg';

type Settle = { readonly resolve: (rows: number) => void; readonly reject: (error: Error) => void };

/** The parts of the driver's connection that a copy uses. */
type Wire = Connection & {
  readonly stream: NodeJS.ReadWriteStream & { readonly writableNeedDrain: boolean };
  sendCopyFromChunk(chunk: Buffer): void;
  endCopyFrom(): void;
  sendCopyFail(text: string): void;
};

const nothing = () => undefined;

/** A statement that reads or writes rows by COPY. The driver calls the functions that begin with `handle`. */
abstract class Copy implements Submittable {
  readonly #text: string;
  readonly #settle: Settle;
  #rows = 0;

  constructor(text: string, settle: Settle) {
    this.#text = text;
    this.#settle = settle;
  }

  submit(connection: Connection): void {
    connection.query(this.#text);
  }

  handleCommandComplete({ text }: { readonly text: string }): void {
    this.#rows = Number(text.split(' ')[1]);
  }

  handleReadyForQuery(): void {
    this.#settle.resolve(this.#rows);
  }

  handleError(error: Error): void {
    this.#settle.reject(error);
  }

  // The driver needs these functions for any statement. No COPY causes these messages.
  readonly handleRowDescription = nothing;
  readonly handleDataRow = nothing;
  readonly handlePortalSuspended = nothing;
  readonly handleEmptyQuery = nothing;
}

class CopyIn extends Copy {
  readonly #onReady: (wire: Wire) => void;

  constructor(text: string, settle: Settle, onReady: (wire: Wire) => void) {
    super(text, settle);
    this.#onReady = onReady;
  }

  handleCopyInResponse(connection: Connection): void {
    this.#onReady(connection as Wire);
  }
}

class CopyOut extends Copy {
  readonly #into: Wire;

  constructor(text: string, settle: Settle, into: Wire) {
    super(text, settle);
    this.#into = into;
  }

  handleCopyData({ chunk }: { readonly chunk: Buffer }, connection: Connection): void {
    this.#into.sendCopyFromChunk(chunk);
    const { stream: target } = this.#into;
    const { stream: source } = connection as Wire;
    if (!target.writableNeedDrain || source.isPaused()) return;
    source.pause();
    target.once('drain', () => source.resume());
  }
}

export type CopyTexts = { readonly from: string; readonly into: string };

/**
 * Copies rows. `from` is a COPY … TO STDOUT that reads them, `into` a COPY … FROM STDIN that writes them.
 * @returns the number of rows read, and of rows written
 */
export async function copyRows(
  source: Client,
  target: Client,
  { from, into }: CopyTexts,
): Promise<{ read: number; written: number }> {
  const ready = Promise.withResolvers<Wire>();
  const writing = Promise.withResolvers<number>();
  target.query(new CopyIn(into, writing, ready.resolve));
  writing.promise.catch(ready.reject);
  const wire = await ready.promise;
  const reading = Promise.withResolvers<number>();
  source.query(new CopyOut(from, reading, wire));
  try {
    const read = await reading.promise;
    wire.endCopyFrom();
    return { read, written: await writing.promise };
  } catch (error) {
    wire.sendCopyFail('the rows cannot be read');
    await writing.promise.catch(() => undefined);
    throw error;
  }
}
