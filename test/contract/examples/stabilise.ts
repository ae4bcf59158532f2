/** Replaces values that differ between two recordings of the examples by values that stay the same. */
import type { Json } from '../../support/events.ts';

const ID = /\b([a-z][a-z0-9]{1,4})_(?:test_)?([0-9a-hjkmnp-tv-z]{25,26})\b/g;
const MOMENT = /\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g;
const UUID_AT_END = /[ /][0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/g;
/** Texts that are drawn at random. */
const DRAWN: Readonly<Record<string, string>> = { next_cursor: 'Y3Vyc29yIG9mIHRoZSBuZXh0IHBhZ2U', last4: 'x4Yz' };
const START = Date.parse('2026-11-23T16:00:00Z');
const SECRET_FIELDS = new Set(['key', 'secret', 'token']);

/** Replaces ids, times, secrets and addresses. The same id has the same replacement in all texts of one call. */
export function stabilise(recorded: Json, addresses: readonly (readonly [string, string])[]): Json {
  const ids = new Map<string, string>();
  const moments = momentsIn(JSON.stringify(recorded));
  const inText = (text: string): string => {
    const addressed = addresses.reduce((changed, [from, to]) => changed.replaceAll(from, to), text);
    return (
      addressed
        .replaceAll(ID, (id, prefix: string, rest: string) => {
          const stable = ids.get(id) ?? `${prefix}_${stableRest(rest.length, ids.size + 1)}`;
          ids.set(id, stable);
          return stable;
        })
        .replaceAll(MOMENT, (moment) => moments.get(moment) ?? moment)
        // Fixtures make names and addresses unique by a UUID at the end.
        .replaceAll(UUID_AT_END, '')
        .replaceAll(/signature=[\w-]+/g, 'signature=c2lnbmVk')
        .replaceAll(/(opt-in\/|^)([a-z-]+)-[0-9a-z]{10}$/g, '$1$2-7k2m9x4c1q')
        .replaceAll(/expires=\d+/g, 'expires=1795456800')
    );
  };
  const walk = (value: Json, field: string): Json => {
    if (typeof value === 'string') {
      return SECRET_FIELDS.has(field) ? hidden(value) : (DRAWN[field] ?? hideTokens(inText(value)));
    }
    if (Array.isArray(value)) return value.map((item) => walk(item, field));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, walk(inner, name)]));
  };
  return walk(recorded, '');
}

/** Gives each moment a different second, in the order of the moments. */
function momentsIn(text: string): Map<string, string> {
  const found = [...new Set(text.match(MOMENT) ?? [])].sort();
  return new Map(found.map((moment, index) => [moment, new Date(START + index * 1_000).toISOString()]));
}

function stableRest(length: number, count: number): string {
  return `01kawp9k${String(count).padStart(length - 8, '0')}`;
}

/** Keeps the prefix that names the kind of a secret. */
function hidden(secret: string): string {
  const prefix = /^(?:[a-z]+_)+/.exec(secret)?.[0] ?? '';
  return prefix + 'x'.repeat(Math.min(24, secret.length - prefix.length));
}

function hideTokens(text: string): string {
  return text.replaceAll(/([?&]token=)[^&]+/g, '$1xxxxxxxx');
}
