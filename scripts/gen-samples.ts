/** Writes the samples of the operations in four languages, and the table of their names in each of them. */
import type { Operation as Command, OperationGroup } from '../src/cli/api/operations.ts';
import type { CodeSample } from '../src/http/openapi/examples.ts';
import { cliOperations } from './gen-cli.ts';
import { literal, PYTHON, shellWord, TYPESCRIPT } from './samples/literal.ts';
import type { Document, Operation } from './sdk/document.ts';
import { type Method, methodsOf } from './sdk/operations.ts';

/** An operation with the example of its request. */
type Sampled = {
  readonly method: Method;
  readonly operation: Operation;
  /** The words of the command, `calls send-dtmf`. */
  readonly words: string;
  readonly command: Command;
  /** The path below /v1 with the ids of the example and with its query. */
  readonly address: string;
  readonly ids: readonly string[];
  readonly query: Readonly<Record<string, unknown>> | undefined;
  readonly body: unknown;
};

/** Returns the samples by operationId, as openapi.json has them. */
export function codeSamples(text: string): Record<string, CodeSample[]> {
  const samples = sampledOf(text).map((sampled): [string, CodeSample[]] => [
    sampled.operation.operationId,
    [
      { lang: 'Shell', label: 'curl', source: curl(sampled) },
      { lang: 'TypeScript', label: 'TypeScript', source: typescript(sampled) },
      { lang: 'Python', label: 'Python', source: python(sampled) },
      { lang: 'Shell', label: 'CLI', source: commandLine(sampled) },
    ],
  ]);
  return Object.fromEntries(samples);
}

/** Returns the document with other samples. */
export function withSamples(text: string, samples: Readonly<Record<string, CodeSample[]>>): string {
  const document = JSON.parse(text);
  for (const item of Object.values<Record<string, Record<string, unknown>>>(document.paths)) {
    for (const operation of Object.values(item)) {
      delete operation['x-codeSamples'];
      operation['x-codeSamples'] = samples[operation['operationId'] as string];
    }
  }
  return `${JSON.stringify(document, null, 2)}\n`;
}

/** Makes docs/methods.md. */
export function methodTable(text: string): string {
  const document: Document = JSON.parse(text);
  const groups = Map.groupBy(sampledOf(text), ({ method }) => method.tag);
  const sections = document.tags.map(({ name }) => {
    const rows = (groups.get(name) ?? []).map(({ method, words, command }) => {
      const names = [...method.pathArguments, ...(method.fileTypes ? ['file'] : [])];
      const parts = [...(method.body ? ['body'] : []), ...(method.query ? ['query'] : [])];
      const call = `client.${method.group}.${method.method}(${[...names, ...parts].join(', ')})`;
      const ids = command.arguments.map((argument) => ` ${argument.toUpperCase()}`).join('');
      return `| \`${method.verb} ${method.path}\` | \`${call}\` | \`dialplane ${words}${ids}\` |\n`;
    });
    return `## ${name}\n\n| Operation | SDK | Command line |\n| --- | --- | --- |\n${rows.join('')}`;
  });
  return `<!-- Made by npm run gen from openapi.json. Edit the operations there. -->

# Names in the SDK and the command line

What each operation of the API is called in the [TypeScript SDK](../packages/sdk/README.md) and on the
[command line](cli.md). A server has the fields of each one, with samples, at \`/docs/api\`.

${sections.join('\n')}`;
}

function sampledOf(text: string): Sampled[] {
  const document: Document = JSON.parse(text);
  const groups: readonly OperationGroup[] = JSON.parse(cliOperations(text));
  const commands = groups.flatMap(({ name, operations }) => operations.map((command) => ({ group: name, command })));
  return methodsOf(document).map((method) => {
    const operation = document.paths[method.path]?.[method.verb.toLowerCase()] as Operation;
    const found = commands.find(({ command }) => command.method === method.verb && command.path === method.path);
    if (found === undefined) throw new Error(`${operation.operationId} is no command`);
    const { parameters = [], requestBody } = operation;
    const ids = parameters.filter((parameter) => parameter.in === 'path').map(({ example }) => String(example));
    const required = parameters.filter((parameter) => parameter.in === 'query' && parameter.required === true);
    const query = Object.fromEntries(required.map(({ name, example }) => [name, example]));
    return {
      method,
      operation,
      words: `${found.group} ${found.command.name}`,
      command: found.command,
      address: `${addressOf(method.path, ids)}${queryOf(query)}`,
      ids,
      query: required.length === 0 ? undefined : query,
      body: requestBody?.content['application/json']?.example,
    };
  });
}

function addressOf(path: string, ids: readonly string[]): string {
  let index = 0;
  return path.replace(/^\/v1/, '').replaceAll(/\{\w+\}/g, () => encodeURIComponent(ids[index++] ?? ''));
}

function queryOf(query: Readonly<Record<string, unknown>>): string {
  const pairs = Object.entries(query).map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`);
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`;
}

const fileOf = ([type = '']: readonly string[]) => ({ name: `file.${type.split('/')[1]}`, type });

function curl({ method: { verb, fileTypes, reply }, operation, address, body }: Sampled): string {
  const hasData = body !== undefined || fileTypes !== undefined;
  const file = fileTypes && fileOf(fileTypes);
  const type = file?.type ?? (body === undefined ? undefined : 'application/json');
  const options = [
    ...(operation.security?.length === 0 ? [] : ['-H "Authorization: Bearer $KEY"']),
    ...(type === undefined ? [] : [`-H "Content-Type: ${type}"`]),
    ...(body === undefined ? [] : [`-d ${shellWord(JSON.stringify(body))}`]),
    ...(file === undefined ? [] : [`--data-binary @${file.name}`]),
    ...(reply.kind === 'file' ? ['--output file'] : []),
  ];
  const verbWords = verb === 'GET' || (verb === 'POST' && hasData) ? '' : ` -X ${verb}`;
  return [`curl${verbWords} "$API${address}"`, ...options].join(' \\\n  ');
}

function typescript({ method, ids, query, body }: Sampled): string {
  const { group, method: name, fileTypes, reply } = method;
  const file = fileTypes && fileOf(fileTypes);
  const values = [
    ...ids.map((id) => literal(TYPESCRIPT, id)),
    ...(file === undefined ? [] : [`{ content, type: ${literal(TYPESCRIPT, file.type)} }`]),
    ...(body === undefined ? [] : [literal(TYPESCRIPT, body)]),
    ...(query === undefined ? [] : [literal(TYPESCRIPT, query)]),
  ];
  const call = `client.${group}.${name}(${values.join(', ')})`;
  if (reply.kind === 'page') return `for await (const item of ${call}) console.log(item);`;
  const kept = reply.kind === 'none' ? '' : reply.kind === 'file' ? 'const response = ' : 'const reply = ';
  const read = `import { readFile } from 'node:fs/promises';\n\nconst content = await readFile('${file?.name}');\n`;
  return `${file === undefined ? '' : read}${kept}await ${call};`;
}

function python({ method: { verb, fileTypes, reply }, address, body }: Sampled): string {
  if (fileTypes !== undefined || reply.kind === 'file')
    return pythonFile({ address, file: fileTypes && fileOf(fileTypes) });
  const given = body === undefined ? '' : `, ${literal(PYTHON, body)}`;
  const call = `api(${literal(PYTHON, verb)}, ${literal(PYTHON, address)}${given})`;
  if (reply.kind === 'page') return `for item in ${call}["data"]:\n    print(item)`;
  return reply.kind === 'none' ? call : `reply = ${call}`;
}

/** The `api` of the quickstart sends and reads JSON; a file has a separate request. */
function pythonFile({ address, file }: { address: string; file: { name: string; type: string } | undefined }): string {
  const key = '"Authorization": f"Bearer {KEY}"';
  if (file === undefined) {
    const request = `Request(API + ${literal(PYTHON, address)}, headers={${key}})`;
    return `with urlopen(${request}) as response:\n    content = response.read()`;
  }
  return [
    `with open("${file.name}", "rb") as file:`,
    '    content = file.read()',
    `headers = {${key}, "Content-Type": "${file.type}"}`,
    `with urlopen(Request(API + ${literal(PYTHON, address)}, content, headers)) as response:`,
    '    reply = json.loads(response.read())',
  ].join('\n');
}

function commandLine({ words, command, method }: Sampled): string {
  const output = method.reply.kind === 'file' ? ['--output', 'file'] : [];
  return ['dialplane', words, ...[...command.example, ...output].map(shellWord)].join(' ');
}
