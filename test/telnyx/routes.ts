import type { Reply } from './replies.ts';

/** A request to the API, after its key and its body were checked. */
export type Call = {
  /** By the names in the path; decoded. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly body: unknown;
};

/** An operation. Its name is `POST /messages` or `GET /messages/{id}`; schemas and faults go by it. */
export type Route = { readonly name: string; readonly answer: (call: Call) => Reply };

/** Returns the operation that a request is for, with the names in its path; undefined if there is none. */
export function findRoute(routes: readonly Route[], method: string, path: string) {
  const given = path.split('/');
  for (const route of routes) {
    const [routeMethod, routePath = ''] = route.name.split(' ');
    const wanted = routePath.split('/');
    if (routeMethod !== method || wanted.length !== given.length) continue;
    const params: Record<string, string> = {};
    const isMatch = wanted.every((part, index) => {
      const text = given[index] ?? '';
      if (!part.startsWith('{')) return part === text;
      params[part.slice(1, -1)] = decodeURIComponent(text);
      return text !== '';
    });
    if (isMatch) return { route, params };
  }
  return undefined;
}
