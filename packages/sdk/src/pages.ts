/** A page of a list. */
export class Page<T> {
  readonly data: readonly T[];
  readonly hasMore: boolean;
  /** The cursor of the next page; null on the last one. */
  readonly nextCursor: string | null;
  readonly #read: (after: string) => Promise<Page<T>>;

  constructor(reply: ListReply<T>, read: (after: string) => Promise<Page<T>>) {
    this.data = reply.data;
    this.hasMore = reply.has_more;
    this.nextCursor = reply.next_cursor;
    this.#read = read;
  }

  /** Reads the next page; undefined after the last one. */
  next(): Promise<Page<T> | undefined> {
    return this.nextCursor === null ? Promise.resolve(undefined) : this.#read(this.nextCursor);
  }
}

/** A list as the API sends it. */
export type ListReply<T> = { data: T[]; has_more: boolean; next_cursor: string | null };

/**
 * A list. As a promise it resolves with its first page. The first `await`, `then`, `catch` or `finally` requests that
 * page, and later ones use the same reply. `for await` reads all items. It requests each page when the loop reaches it,
 * and every loop requests the pages again.
 */
export class Pages<T> implements Promise<Page<T>>, AsyncIterable<T> {
  readonly [Symbol.toStringTag] = 'Pages';
  readonly #read: (after: string | undefined) => Promise<Page<T>>;
  #first: Promise<Page<T>> | undefined;

  /** @param read requests a page; the first one without a cursor */
  constructor(read: (after: string | undefined) => Promise<ListReply<T>>) {
    this.#read = async (after) => new Page(await read(after), (next) => this.#read(next));
  }

  // biome-ignore lint/suspicious/noThenProperty: a list is awaited for its first page.
  then<A = Page<T>, B = never>(
    onPage?: ((page: Page<T>) => A | PromiseLike<A>) | null,
    onError?: ((error: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    this.#first ??= this.#read(undefined);
    return this.#first.then(onPage, onError);
  }

  catch<B = never>(onError?: ((error: unknown) => B | PromiseLike<B>) | null): Promise<Page<T> | B> {
    return this.then(null, onError);
  }

  finally(onEnd?: (() => void) | null): Promise<Page<T>> {
    return this.then().finally(onEnd);
  }

  async *pages(): AsyncGenerator<Page<T>, void> {
    let page: Page<T> | undefined = await this.#read(undefined);
    while (page !== undefined) {
      yield page;
      page = await page.next();
    }
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T, void> {
    for await (const page of this.pages()) yield* page.data;
  }
}
