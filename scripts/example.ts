/** Runs an example in TypeScript with the SDK of this checkout: `npm run example -- NAME [OPTION]...`. */
import { existsSync, readdirSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';

const EXAMPLES = new URL('../examples/', import.meta.url);
const SDK = new URL('../packages/sdk/src/', import.meta.url);

/** The package has its JavaScript only after a build, so its names lead to its source. */
registerHooks({
  resolve: (specifier, context, next) => {
    const found = /^@dialplane\/sdk(?:\/(\w+))?$/.exec(specifier);
    if (found === null) return next(specifier, context);
    return { url: new URL(`${found[1] ?? 'index'}.ts`, SDK).href, shortCircuit: true };
  },
});

const [name = ''] = process.argv.splice(2, 1);
const names = readdirSync(EXAMPLES).filter((name) => existsSync(new URL(`${name}/main.ts`, EXAMPLES)));
if (names.includes(name)) {
  const main = new URL(`${name}/main.ts`, EXAMPLES);
  process.argv[1] = fileURLToPath(main);
  await import(main.href);
} else {
  console.error(`There is no example "${name}" in TypeScript. There are: ${names.join(', ')}.`);
  process.exitCode = 2;
}
