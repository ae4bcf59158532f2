/** Returns a `run` function for a batcher, and its batches, which the test ends one by one. */
export function gatedRun() {
  const batches: { inputs: string[]; end(): void }[] = [];
  const run = (inputs: string[]) =>
    new Promise<string[]>((resolve) => {
      batches.push({ inputs, end: () => resolve(inputs.map((input) => `${input}!`)) });
    });
  return { batches, run };
}

/** Waits for one turn of the event loop. */
export const turn = () => new Promise((resolve) => setImmediate(resolve));

export async function turns(count = 4) {
  for (let i = 0; i < count; i++) await turn();
}
