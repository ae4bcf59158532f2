/** Compares the output on a page with the answers of the product. */
import assert from 'node:assert/strict';

/** Returns the JSON values in the output of commands. The output also has headers and other lines. */
export function jsonValuesIn(text: string): unknown[] {
  const values: unknown[] = [];
  for (let at = 0; at < text.length; at++) {
    if (text[at] !== '{' && text[at] !== '[') continue;
    const end = endOfValue(text, at);
    if (end === undefined) continue;
    try {
      values.push(JSON.parse(text.slice(at, end)));
      at = end - 1;
    } catch {
      // This brace begins no JSON.
    }
  }
  return values;
}

/** Returns the position after the bracket that closes the one at `start`; undefined if it is not closed. */
function endOfValue(text: string, start: number): number | undefined {
  let depth = 0;
  let inText = false;
  for (let at = start; at < text.length; at++) {
    const sign = text[at];
    if (inText) {
      if (sign === '\\') at++;
      else if (sign === '"') inText = false;
    } else if (sign === '"') inText = true;
    else if (sign === '{' || sign === '[') depth++;
    else if (sign === '}' || sign === ']') {
      depth--;
      if (depth === 0) return at + 1;
    }
  }
  return undefined;
}

/** Returns true for the envelope of an error. */
export function isErrorReply(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).sort().join() === 'error,request_id';
}

/** Values that differ from run to run, and the mark that replaces each. */
const VOLATILE: readonly [RegExp, string][] = [
  [/\b([a-z]\w{2,4})_[0-9a-hjkmnp-tv-z]{26}\b/g, '$1_ID'],
  [/\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g, 'TIME'],
  [/\b\d{4}-\d\d-\d\d\b(?!T)/g, 'DAY'],
  [/\bexpires=\d+&signature=[\w.-]+…?/g, 'SIGNED'],
  [/\bsvc_(test|live)_(\w+…?|…)/g, 'svc_$1_KEY'],
  [/\b(whsec|svcrt|svcst|svcha|svcbs)_[\w.+/=-]+…?/g, '$1_SECRET'],
  [/\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g, 'UUID'],
  [/-[0-9a-hjkmnp-tv-z]{10}\b/g, '-SLUG'],
];

/** Returns a text without ids, times and secrets. */
export function steady(text: string): string {
  return VOLATILE.reduce((result, [pattern, mark]) => result.replace(pattern, mark), text);
}

/**
 * Fails unless a reply matches the page: the same fields, texts, booleans, nulls and lengths of lists. Ids, times and
 * secrets are compared by their kind, numbers and cursors by their type. If a text of the page ends in …, any text with
 * that beginning matches.
 */
export function assertShown(shown: unknown, reply: unknown, path = ''): void {
  const where = `${path || 'the reply'}: the page shows ${JSON.stringify(shown)}, the reply has ${JSON.stringify(reply)}`;
  if (path.endsWith('next_cursor')) assert.equal(typeof reply, typeof shown, where);
  else if (typeof shown === 'string' && typeof reply === 'string') {
    const [wanted, got] = [steady(shown), steady(reply)];
    assert.ok(wanted.endsWith('…') ? got.startsWith(wanted.slice(0, -1)) : got === wanted, where);
  } else if (typeof shown === 'number') assert.equal(typeof reply, 'number', where);
  else if (Array.isArray(shown) && Array.isArray(reply)) {
    assert.equal(reply.length, shown.length, where);
    for (const [index, item] of shown.entries()) assertShown(item, reply[index], `${path}[${index}]`);
  } else if (typeof shown === 'object' && shown !== null && typeof reply === 'object' && reply !== null) {
    assert.deepEqual(Object.keys(reply).sort(), Object.keys(shown).sort(), where);
    for (const [name, value] of Object.entries(shown)) {
      assertShown(value, (reply as Record<string, unknown>)[name], path === '' ? name : `${path}.${name}`);
    }
  } else assert.equal(reply, shown, where);
}
