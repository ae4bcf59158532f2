/** A run whose batches the test ends one by one. */
export function gatedRun() {
  const batches: { inputs: string[]; end(): void }[] = [];
  const run = (inputs: string[]) =>
    new Promise<string[]>((resolve) => {
      batches.push({ inputs, end: () => resolve(inputs.map((input) => `${input}!`)) });
    });
  return { batches, run };
}

export const turn = () => new Promise((resolve) => setImmediate(resolve));

export async function turns(count = 4) {
  for (let i = 0; i < count; i++) await turn();
}
