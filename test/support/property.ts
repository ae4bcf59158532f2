/**
 * Property tests that check the same values in every run, because their seeds are in the tests. `npm run test:explore`
 * uses new seeds instead (`scripts/explore.ts`).
 */
import { randomInt } from 'node:crypto';
import fc from 'fast-check';

/** A case that was found: a seed, and the path to the value that failed. */
type Found = { readonly seed: number; readonly path: string };

const SURROGATES = { first: 0xd800, count: 0x800 };
const CODE_POINTS = 0x110000 - SURROGATES.count;

const toCharacter = (index: number): string =>
  String.fromCodePoint(index < SURROGATES.first ? index : index + SURROGATES.count);

/** Returns the index of a character. Throws for other values, because fast-check asks whether a value can be drawn. */
function toIndex(value: unknown): number {
  const point = typeof value === 'string' ? (value.codePointAt(0) ?? Number.NaN) : Number.NaN;
  const index = point < SURROGATES.first ? point : point - SURROGATES.count;
  if (!(index >= 0) || toCharacter(index) !== value) throw new Error('not a character');
  return index;
}

/**
 * Draws any character of Unicode: the `unit` of a text. The unit `binary` of fast-check draws the same characters, but
 * first makes a map of all 1.1 million, which takes more than a second.
 */
export const character: fc.Arbitrary<string> = fc.nat({ max: CODE_POINTS - 1 }).map(toCharacter, toIndex);

type PropertyOptions = {
  /** The number of values for each seed. */
  readonly runs?: number;
  /** Seeds in addition to the usual one, and earlier cases. */
  readonly seeds?: readonly (number | Found)[];
  /** If false, a counterexample is not shrunk. For a property whose single run takes long. */
  readonly shrinks?: boolean;
};

const RUNS = 100;
const SEED = 1;
const SEEDS_END = 2 ** 31;

/**
 * Checks that a property is true for values of written seeds. A failure names the case to add to `seeds`. An exploring
 * run, which has DIALPLANE_TEST_EXPLORE_MS, instead checks values of new seeds for that time, at least once.
 */
export function checkProperty<Values>(property: fc.IAsyncProperty<Values>, options?: PropertyOptions): Promise<void>;
export function checkProperty<Values>(property: fc.IProperty<Values>, options?: PropertyOptions): void;
export function checkProperty<Values>(
  property: fc.IProperty<Values> | fc.IAsyncProperty<Values>,
  options: PropertyOptions = {},
): Promise<void> | void {
  const draws = drawsOf(options);
  if (property.isAsync()) return checkAsync(property as fc.IAsyncProperty<Values>, draws);
  for (const draw of draws) fc.assert(property as fc.IProperty<Values>, { ...draw, reporter: refuse });
}

async function checkAsync<Values>(property: fc.IAsyncProperty<Values>, draws: Iterable<Draw>): Promise<void> {
  for (const draw of draws) await fc.assert(property, { ...draw, reporter: refuse });
}

type Draw = Pick<fc.Parameters<never>, 'seed' | 'path' | 'numRuns' | 'endOnFailure'>;

/** Yields the drawn values. An exploring run continues until its time is over. */
function* drawsOf({ runs = RUNS, seeds = [], shrinks = true }: PropertyOptions): Generator<Draw> {
  const exploreMs = process.env['DIALPLANE_TEST_EXPLORE_MS'];
  if (exploreMs === undefined) {
    for (const one of [SEED, ...seeds]) {
      const found = typeof one === 'number' ? { seed: one } : one;
      yield { ...found, numRuns: runs, endOnFailure: !shrinks };
    }
    return;
  }
  const startedMs = performance.now();
  do {
    yield { seed: randomInt(SEEDS_END), numRuns: runs, endOnFailure: !shrinks };
  } while (performance.now() - startedMs < Number(exploreMs));
}

/** Throws for a property that is not true. */
function refuse<Values>(details: fc.RunDetails<Values>): void {
  if (!details.failed) return;
  const { seed, counterexamplePath: path } = details;
  const added = path === null ? `${seed}` : `{ seed: ${seed}, path: '${path}' }`;
  const text = `${fc.defaultReportMessage(details)}\n\nThe case to add to the property: seeds: [..., ${added}]`;
  throw new Error(text, { cause: details.errorInstance });
}
