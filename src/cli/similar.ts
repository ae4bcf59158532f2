/** The share of letters that a typing mistake may change in a name. */
const CHANGED_MAX = 1 / 3;
const SIMILAR_MAX = 3;

/** Returns the names that are most similar to a mistyped one; none if no name is similar. */
export function findSimilar(typed: string, names: readonly string[]): string[] {
  const candidates = names.map((name) => ({ name, changes: countChanges(typed, name) }));
  const similar = candidates.filter(
    ({ name, changes }) => changes <= Math.max(typed.length, name.length) * CHANGED_MAX,
  );
  const fewest = Math.min(...similar.map(({ changes }) => changes));
  const most = similar.filter(({ changes }) => changes === fewest);
  return most.slice(0, SIMILAR_MAX).map(({ name }) => name);
}

/** Returns " Did you mean …?" with the similar names; an empty text if there are none. */
export function didYouMean(typed: string, names: readonly string[]): string {
  const similar = findSimilar(typed, names);
  return similar.length === 0 ? '' : ` Did you mean ${similar.join(' or ')}?`;
}

/**
 * Counts the changes that turn one text into the other: letters added, removed, replaced or swapped with a neighbour.
 */
function countChanges(from: string, to: string): number {
  let [beforeLast, last]: [number[], number[]] = [[], Array.from({ length: to.length + 1 }, (_, index) => index)];
  for (let row = 1; row <= from.length; row++) {
    const next = [row];
    for (let column = 1; column <= to.length; column++) {
      const replaced = (last[column - 1] as number) + (from[row - 1] === to[column - 1] ? 0 : 1);
      const isSwap = from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      const swapped = isSwap ? (beforeLast[column - 2] as number) + 1 : Number.POSITIVE_INFINITY;
      next.push(Math.min((last[column] as number) + 1, (next[column - 1] as number) + 1, replaced, swapped));
    }
    [beforeLast, last] = [last, next];
  }
  return last[to.length] as number;
}
