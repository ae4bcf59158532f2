#!/usr/bin/env node
import { existsSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { canLaunch, launch } from '../scripts/bootstrap/launch.mjs';

const root = dirname(dirname(realpathSync(fileURLToPath(import.meta.url))));
const args = process.argv.slice(2);

// A checkout has the source, and installs what is missing. The npm package has the compiled program.
if (existsSync(join(root, 'src', 'main.ts'))) {
  const { bootstrap } = await import('../scripts/bootstrap.mjs');
  await bootstrap('dialplane', args);
} else if (canLaunch()) {
  await launch(root, join(root, 'dist', 'main.js'), args);
}
