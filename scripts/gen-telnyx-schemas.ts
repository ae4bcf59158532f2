/**
 * Writes test/telnyx/schemas from the type declarations of the installed package `telnyx`: `npm run gen:telnyx`. With
 * `--check` it writes nothing and fails if a file differs.
 */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { OPERATIONS, WEBHOOKS } from './telnyx-subjects.ts';
import { typedOperations, withoutNames } from './telnyx-types.ts';

type Schema = { [key: string]: unknown };
type Library = { createGenerator(options: object): { createSchema(type: string): Schema } };
/** TypeScript type expressions, with `import('module').Name` for names. */
type Types = Map<string, string>;
type Subjects = { readonly types: Types; readonly empty: readonly string[]; readonly missing: readonly string[] };

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const PACKAGE = join(ROOT, 'node_modules', 'telnyx');
const TARGET = join(ROOT, 'test', 'telnyx', 'schemas');
// Loaded by path: its declarations include the declarations of TypeScript 5, which the check of types would read each
// time.
const LIBRARY = new URL('../node_modules/ts-json-schema-generator/dist/index.js', import.meta.url).href;
const { createGenerator }: Library = await import(LIBRARY);

function operationSubjects(part: 'body' | 'answer'): Subjects {
  const known = typedOperations(PACKAGE);
  const types: Types = new Map();
  const empty: string[] = [];
  const missing: string[] = [];
  for (const name of OPERATIONS) {
    const operation = known.get(withoutNames(name));
    const type = operation?.[part];
    if (operation === undefined) missing.push(name);
    else if (type === undefined) empty.push(name);
    else types.set(name, type);
  }
  return { types, empty, missing };
}

function webhookSubjects(): Subjects {
  const types: Types = new Map();
  const missing: string[] = [];
  for (const [event, source] of Object.entries(WEBHOOKS)) {
    if (source === undefined) {
      missing.push(event);
      continue;
    }
    const type = `import('${join(PACKAGE, 'resources', source.module)}').${source.name}`;
    types.set(event, source.isData ? `{ data: ${type} }` : type);
  }
  return { types, empty: [], missing };
}

/** Returns the schemas of all the types; unknown fields are refused. Takes about 6 s. */
function schemasOf(files: ReadonlyMap<string, Subjects>): Map<string, Schema> {
  const modules = new Map<string, string>();
  const lines: string[] = [];
  for (const [file, { types }] of files) {
    let at = 0;
    for (const type of types.values()) {
      const named = type.replace(/import\('([^']+)'\)/g, (_, module: string) => {
        if (!modules.has(module)) modules.set(module, `M${modules.size}`);
        return modules.get(module) ?? '';
      });
      lines.push(`export type ${file}${at++} = ${named};`);
    }
  }
  const imports = [...modules].map(([module, alias]) => `import type * as ${alias} from '${module}';`);
  const folder = mkdtempSync(join(tmpdir(), 'telnyx-schemas-'));
  try {
    const path = join(folder, 'entry.ts');
    const tsconfig = join(folder, 'tsconfig.json');
    writeFileSync(path, [...imports, ...lines].join('\n'));
    const compilerOptions = {
      strict: true,
      module: 'esnext',
      moduleResolution: 'bundler',
      target: 'es2022',
      types: [],
    };
    writeFileSync(tsconfig, JSON.stringify({ compilerOptions, files: ['entry.ts'] }));
    const settings = { expose: 'none', jsDoc: 'none', skipTypeCheck: true, topRef: false, additionalProperties: false };
    const generator = createGenerator({ path, tsconfig, ...settings });
    const names = [...files].flatMap(([file, { types }]) => [...types.keys()].map((_, at) => `${file}${at}`));
    return new Map(names.map((name) => [name, generator.createSchema(name)]));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Returns the schema without its empty parts, and open to unknown fields if `isOpen`. */
function finished(value: unknown, isOpen: boolean): unknown {
  if (Array.isArray(value)) return value.map((item) => finished(item, isOpen));
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(
    ([key, part]) =>
      !(key === '$schema' || key === 'definitions' || (isOpen && key === 'additionalProperties' && part === false)),
  );
  return Object.fromEntries(kept.map(([key, part]) => [key, finished(part, isOpen)]));
}

function fileText({ types, empty, missing }: Subjects, schemas: readonly unknown[]): string {
  const { version } = JSON.parse(readFileSync(join(PACKAGE, 'package.json'), 'utf8'));
  const lines = [...types.keys()].map((name, at) => `${JSON.stringify(name)}: ${JSON.stringify(schemas[at])}`);
  const sha256 = createHash('sha256').update(JSON.stringify(schemas)).digest('hex');
  const head = { source: `types of npm telnyx@${version}`, license: 'MIT, see LICENSE', sha256, empty, missing };
  return `${JSON.stringify(head).slice(0, -1)},\n"schemas": {\n${lines.join(',\n')}\n}}\n`;
}

function main(checkOnly: boolean): void {
  const files = new Map([
    ['requests', operationSubjects('body')],
    ['responses', operationSubjects('answer')],
    ['webhooks', webhookSubjects()],
  ]);
  const schemas = schemasOf(files);
  const texts = new Map([['LICENSE', readFileSync(join(PACKAGE, 'LICENSE'), 'utf8')]]);
  for (const [file, subjects] of files) {
    const types = [...subjects.types.keys()].map((_, at) => finished(schemas.get(`${file}${at}`), file !== 'requests'));
    texts.set(`${file}.json`, fileText(subjects, types));
  }
  mkdirSync(TARGET, { recursive: true });
  for (const [name, text] of texts) {
    const path = join(TARGET, name);
    if (existsSync(path) && readFileSync(path, 'utf8') === text) continue;
    if (checkOnly) {
      console.log(`test/telnyx/schemas/${name} is not up to date: run npm run gen:telnyx and commit the result`);
      process.exitCode = 1;
    } else {
      writeFileSync(path, text);
      console.log(`wrote test/telnyx/schemas/${name}, ${Math.round(text.length / 1000)} KB`);
    }
  }
}

main(process.argv.includes('--check'));
