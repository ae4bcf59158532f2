/**
 * Prints the JSON schemas of the kinds in the chart, made from the types of the package `kubernetes-types`. Its
 * argument is a folder for its files. It runs in a separate process because the generator leaves globals behind.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

type Library = { createGenerator(options: object): { createSchema(type: string): object } };
// The library is loaded by its path, so that a check of types does not read its declarations. These include TypeScript
// 5's.
const LIBRARY = new URL('../../../node_modules/ts-json-schema-generator/dist/index.js', import.meta.url).href;
const { createGenerator }: Library = await import(LIBRARY);
const TYPES = fileURLToPath(new URL('.', import.meta.resolve('kubernetes-types/package.json')));

/** Each kind with its API, and the module that has its type. */
const KINDS = {
  'apps/v1 Deployment': 'apps/v1',
  'apps/v1 StatefulSet': 'apps/v1',
  'autoscaling/v2 HorizontalPodAutoscaler': 'autoscaling/v2',
  'batch/v1 Job': 'batch/v1',
  'networking.k8s.io/v1 Ingress': 'networking/v1',
  'networking.k8s.io/v1 NetworkPolicy': 'networking/v1',
  'policy/v1 PodDisruptionBudget': 'policy/v1',
  'v1 Service': 'core/v1',
};

function schemasOf(folder: string): Record<string, object> {
  const path = join(folder, 'kinds.ts');
  const tsconfig = join(folder, 'tsconfig.json');
  const lines = Object.entries(KINDS).map(([kind, module], at) => {
    const [, name] = kind.split(' ');
    return `import type { ${name} } from '${join(TYPES, module)}'; export type Kind${at} = ${name};`;
  });
  writeFileSync(path, lines.join('\n'));
  const compilerOptions = { strict: true, module: 'esnext', moduleResolution: 'bundler', target: 'es2022', types: [] };
  writeFileSync(tsconfig, JSON.stringify({ compilerOptions, files: ['kinds.ts'] }));
  const settings = { expose: 'none', jsDoc: 'none', topRef: false, additionalProperties: false };
  const generator = createGenerator({ path, tsconfig, ...settings });
  return Object.fromEntries(Object.keys(KINDS).map((kind, at) => [kind, generator.createSchema(`Kind${at}`)]));
}

/** TypeScript has one type of numbers. Every number of these kinds is an integer. */
function asInteger(key: string, value: unknown): unknown {
  if (key !== 'type') return value;
  if (Array.isArray(value)) return value.map((each) => (each === 'number' ? 'integer' : each));
  return value === 'number' ? 'integer' : value;
}

const [folder] = process.argv.slice(2);
if (folder === undefined) throw new Error('name a folder');
console.log(JSON.stringify(schemasOf(folder), asInteger));
