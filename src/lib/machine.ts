/**
 * A stored status machine: for each state, the states it may move to. Being a total record, a forgotten state or a
 * misspelt name does not compile. A move to the same state is allowed only where the table lists it.
 */
export type Machine<S extends string> = Readonly<Record<S, readonly S[]>>;

/** True when the table has the arrow `from -> to`. */
export function canMove<S extends string>(machine: Machine<S>, from: S, to: S): boolean {
  return machine[from].includes(to);
}

/**
 * The states from which `to` can be reached in one move, in table order: what a statement that moves a row compares
 * the present status with (`where status = any(...)`), so that of two racing movers only one finds its row.
 */
export function sourcesOf<S extends string>(machine: Machine<S>, to: S): S[] {
  return (Object.keys(machine) as S[]).filter((from) => machine[from].includes(to));
}
