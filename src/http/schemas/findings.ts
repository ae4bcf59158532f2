import { type Failure, isBlank, type Schema } from './schema-types.ts';

/** The most fields of one kind of failure that are collected, and the most fields that a reply names. */
export const FIELDS_MAX = 20;

type Kind = 'missing' | 'unknown' | 'wrong';

/** The failures of one value, in the order they were found. Has at most `FIELDS_MAX` fields of each kind. */
export class Findings {
  readonly failures: Failure[] = [];
  /** False after the first failure, collected or not. */
  isGood = true;
  /** The path of the value that is being judged. It is changed in place. */
  readonly path: string[];
  readonly #fields: Record<Kind, number> = { missing: 0, unknown: 0, wrong: 0 };
  #last: Failure | undefined;

  constructor(path: string[] = []) {
    this.path = path;
  }

  /** True once no more unknown fields are collected. */
  get namesNoMoreUnknown(): boolean {
    return this.#fields.unknown >= FIELDS_MAX;
  }

  add(keyword: string, schema: Schema, value: unknown, params: Failure['params'] = {}): void {
    if (this.#counts(keyword, this.path, value)) this.#push({ keyword, path: [...this.path], schema, value, params });
  }

  append(failure: Failure): void {
    if (this.#counts(failure.keyword, failure.path, failure.value)) this.#push(failure);
  }

  #push(failure: Failure): void {
    this.#last = failure;
    this.failures.push(failure);
  }

  /** Counts a failure. Returns false if FIELDS_MAX fields have failures of its kind already. */
  #counts(keyword: string, path: readonly string[], value: unknown): boolean {
    this.isGood = false;
    // The few failures of one field count as one.
    if (this.#isOfLastField(keyword, path)) return true;
    const kind = kindOf(keyword, value);
    if (this.#fields[kind] >= FIELDS_MAX) return false;
    this.#fields[kind] += 1;
    return true;
  }

  #isOfLastField(keyword: string, path: readonly string[]): boolean {
    const last = this.#last;
    const namesField = keyword === 'required' || keyword === 'additionalProperties';
    if (last === undefined || namesField || last.path.length !== path.length) return false;
    return last.path.every((name, index) => name === path[index]);
  }
}

function kindOf(keyword: string, value: unknown): Kind {
  if (keyword === 'additionalProperties') return 'unknown';
  return keyword === 'required' || isBlank(value) ? 'missing' : 'wrong';
}
