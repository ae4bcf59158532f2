/**
 * A stored status machine: for each state, the next states. The record has every state, so a forgotten state or a
 * misspelt name does not compile. A move to the same state is allowed only if the table lists it.
 */
export type Machine<S extends string> = Readonly<Record<S, readonly S[]>>;

/** True if the table has the arrow `from -> to`. */
export function canMove<S extends string>(machine: Machine<S>, from: S, to: S): boolean {
  return machine[from].includes(to);
}

/**
 * Returns the states with an arrow to `to`, in table order. A statement that changes the status of a row compares the
 * current one with them (`where status = any(...)`). So only one of two concurrent changes finds the row.
 */
export function sourcesOf<S extends string>(machine: Machine<S>, to: S): S[] {
  return (Object.keys(machine) as S[]).filter((from) => machine[from].includes(to));
}
