/** Applies the changes of `--set` to the body of a request. */
import { UsageError } from '../../command.ts';

/** A change of one field. The path has the names, or positions in lists, that lead to the field. */
export type Change = { readonly path: readonly string[]; readonly value: string };

type Body = Readonly<Record<string, unknown>>;

/** Reads `path=value`, such as `service_address.city=Mesa`. Throws UsageError if it is something else. */
export function readChange(text: string): Change {
  const [, path = '', value = ''] = /^([^=]+)=(.*)$/s.exec(text) ?? [];
  const names = path.split('.').map((name) => name.trim());
  if (names.some((name) => name === '')) {
    throw new UsageError(`--set takes the path of a field and its value, such as body=Hello, not ${text}`);
  }
  return { path: names, value };
}

/**
 * Returns the body with the changes. A field that is a text stays a text. For any other field, the value is read as
 * JSON if it is JSON.
 */
export function applyChanges(body: Body, changes: readonly Change[]): Body {
  return changes.reduce((changed, { path, value }) => put(changed, path, value) as Body, body);
}

function put(into: unknown, [name, ...rest]: readonly string[], value: string): unknown {
  if (name === undefined) return typeof into === 'string' ? value : parse(value);
  if (Array.isArray(into)) {
    const list: unknown[] = [...into];
    const index = Number(name);
    if (!Number.isInteger(index) || index < 0 || index > list.length) {
      throw new UsageError(`--set: ${name} is no position in a list of ${list.length}`);
    }
    list[index] = put(list[index], rest, value);
    return list;
  }
  const fields = typeof into === 'object' && into !== null ? into : {};
  return { ...fields, [name]: put((fields as Body)[name], rest, value) };
}

function parse(value: string): unknown {
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}
