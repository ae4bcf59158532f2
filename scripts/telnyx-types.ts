import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

/** An operation as the package declares it: TypeScript type expressions for its request body and its answer. */
export type TypedOperation = {
  /** `POST /calls/{}/actions/answer`: the names in the path left out. */
  readonly key: string;
  readonly body: string | undefined;
  readonly answer: string | undefined;
};

const BUILT_IN: ReadonlySet<string> = new Set(['unknown', 'string', 'number', 'boolean', 'key', 'null', 'Array']);
const METHOD =
  /\n {2}(?:async )?\w+\(((?:[^{}]|\{\})*?)\): (?:APIPromise|PagePromise)<((?:[^{}]|\{[^{}]*\})*?)> \{\n([\s\S]*?)\n {2}\}\n/g;
const REQUEST = /this\._client\s*\.(getAPIList|get|post|put|patch|delete)\(\s*(?:path`([^`]+)`|'([^']+)')/;

/**
 * Reads the operations of the package from the source of its resource classes: each method names the path, the type of
 * the body and the type of the answer.
 * @param packageFolder absolute path of the installed package `telnyx`
 */
export function typedOperations(packageFolder: string): Map<string, TypedOperation> {
  const source = join(packageFolder, 'src');
  const operations = new Map<string, TypedOperation>();
  for (const name of readdirSync(join(source, 'resources'), { recursive: true, encoding: 'utf8' })) {
    if (!name.endsWith('.ts')) continue;
    const file = join(source, 'resources', name);
    const text = readFileSync(file, 'utf8');
    const scope = scopeOf(file, text, packageFolder);
    for (const [, parameters = '', answer = '', code = ''] of text.matchAll(METHOD)) {
      const operation = operationOf(parameters, answer, code, scope);
      if (operation !== undefined) operations.set(operation.key, operation);
    }
  }
  return operations;
}

/** Returns the path template without the names: `/messages/{id}` becomes `/messages/{}`. */
export function withoutNames(template: string): string {
  return template.replace(/\{[^}]*\}/g, '{}');
}

type Scope = { readonly own: string; readonly aliases: ReadonlyMap<string, string>; readonly pages: string };

function scopeOf(file: string, text: string, packageFolder: string): Scope {
  const source = join(packageFolder, 'src');
  const declared = (path: string) => join(packageFolder, relative(source, path));
  const aliases = new Map<string, string>();
  for (const [, alias = '', from = ''] of text.matchAll(/import \* as (\w+) from '([^']+)'/g)) {
    aliases.set(alias, declared(join(dirname(file), from)));
  }
  return { own: declared(file.replace(/\.ts$/, '')), aliases, pages: join(packageFolder, 'core', 'pagination') };
}

function operationOf(parameters: string, answer: string, code: string, scope: Scope): TypedOperation | undefined {
  const [, method, template, plain] = REQUEST.exec(code) ?? [];
  const path = template?.replace(/\$\{[^}]*\}/g, '{}') ?? plain;
  if (method === undefined || path === undefined) return undefined;
  const verb = method === 'getAPIList' ? 'GET' : method.toUpperCase();
  return { key: `${verb} ${path}`, body: bodyType(parameters, code, scope), answer: answerType(answer, code, scope) };
}

/**
 * Returns the type of the body as it is sent. A method may take fields that go into the path, and may rename a field
 * before it sends the field.
 */
function bodyType(parameters: string, code: string, scope: Scope): string | undefined {
  const [, type] = /\b(?:body|params):\s*([\w.]+)/.exec(parameters) ?? [];
  if (type === undefined || !/\bbody\b/.test(code)) return undefined;
  const taken = qualified(type, scope);
  // A method that takes one object and sends its fields: `const { document } = params`, `body: document`.
  const [, part] = /\bbody: (\w+), \.\.\.options/.exec(code) ?? [];
  if (part !== undefined && part !== 'params') return `${taken}['${part}']`;
  const [, names = ''] = /const \{ ([^}]*?), \.\.\.body \} = params/.exec(code) ?? [];
  if (names === '') return taken;
  const omitted = names.split(', ').map((name) => name.split(':')[0]?.trim() ?? '');
  const [, renamed = ''] = /body: \{ ([^}]*?), \.\.\.body \}/.exec(code) ?? [];
  const sent = [...renamed.matchAll(/(\w+): (\w+)/g)].map(([, as, name]) => `${as}: ${taken}['${name}']`);
  return `Omit<${taken}, ${omitted.map((name) => `'${name}'`).join(' | ')}> & { ${sent.join('; ')} }`;
}

function answerType(answer: string, code: string, scope: Scope): string | undefined {
  if (answer === 'void') return undefined;
  const [, page, item] = /getAPIList\([\s\S]*?(\w+)<([\w.]+)>/.exec(code) ?? [];
  if (page === undefined || item === undefined) return qualified(answer, scope);
  return `import('${scope.pages}').${page}Response<${qualified(item, scope)}>`;
}

/** Replaces each name of a type by an import of it. */
function qualified(type: string, scope: Scope): string {
  return type.replace(/[A-Za-z_][\w.]*/g, (name) => {
    if (BUILT_IN.has(name)) return name;
    const [alias = '', ...rest] = name.split('.');
    const module = scope.aliases.get(alias);
    if (module === undefined) return `import('${scope.own}').${name}`;
    return `import('${module}').${rest.join('.')}`;
  });
}
