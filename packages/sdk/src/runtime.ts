/** The kind and the features of the runtime: Node, Deno, Bun, Workers, a page. */

/** The globals that tell a page from other runtimes. */
export type RuntimeScope = {
  readonly location?: { readonly origin?: unknown } | undefined;
  readonly process?: { readonly versions?: { readonly node?: string } } | undefined;
};

/**
 * Tells whether the code runs in a page or in a worker of a page: both have the origin of a document. Runtimes of
 * servers have none. Some of them have other globals of browsers, such as `importScripts` or `document`.
 */
export function isBrowser(scope: RuntimeScope = globalThis as RuntimeScope): boolean {
  if (scope.process?.versions?.node !== undefined) return false;
  return typeof scope.location?.origin === 'string';
}

type RequestConstructor = new (address: string, init: RequestInit) => { readonly cache?: unknown };

/** Tells whether a request may say `cache: 'no-store'`. Some Workers throw for the option, others ignore it. */
export function takesNoStore(
  Request: RequestConstructor | undefined = (globalThis as { Request?: RequestConstructor }).Request,
): boolean {
  if (Request === undefined) return false;
  try {
    return new Request('https://example.com', { cache: 'no-store' }).cache === 'no-store';
  } catch {
    return false;
  }
}
