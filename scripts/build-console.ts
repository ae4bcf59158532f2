/** Builds the console into packages/console/dist. */
import { fileURLToPath } from 'node:url';
import { build } from 'vite';

const CONFIG = fileURLToPath(new URL('../packages/console/vite.config.ts', import.meta.url));

export async function buildConsole(): Promise<void> {
  await build({ configFile: CONFIG, logLevel: 'warn' });
}
