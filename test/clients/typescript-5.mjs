// The generators write code with the API of TypeScript 5, which our TypeScript 7 does not have. They get the TypeScript
// 5 that ts-json-schema-generator brings.
import { createRequire, registerHooks } from 'node:module';
import { pathToFileURL } from 'node:url';

const generator = createRequire(import.meta.url).resolve('ts-json-schema-generator');
const url = pathToFileURL(createRequire(generator).resolve('typescript')).href;

registerHooks({
  resolve: (specifier, context, next) =>
    specifier === 'typescript' ? { url, shortCircuit: true } : next(specifier, context),
});
