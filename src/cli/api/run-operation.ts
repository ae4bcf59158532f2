/** Sends the request of a command and prints the reply. */
import { createWriteStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { extname } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { DialplaneError } from '../../../packages/sdk/src/errors.ts';
import type { FileBody, RequestInput } from '../../../packages/sdk/src/requester.ts';
import { segment } from '../../../packages/sdk/src/requester.ts';
import { HttpTransport } from '../../../packages/sdk/src/transport.ts';
import { type Arguments, CommandError, required, type Terminal, UsageError } from '../command.ts';
import { findServer } from '../developer/server-access.ts';
import type { Operation } from './operations.ts';
import { readBody, readQuery } from './read-request.ts';
import { showError, showPage, showResource } from './show-reply.ts';

type Page = { data: Readonly<Record<string, unknown>>[]; has_more: boolean; next_cursor: string | null };

/** A file of any type that an operation takes has one of these endings. */
const FILE_TYPES: Readonly<Record<string, string>> = {
  '.pdf': 'application/pdf',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
};

/** Returns the exit code. A refusal by the API is printed, with exit code 1. */
export async function runOperation(operation: Operation, args: Arguments, terminal: Terminal): Promise<number> {
  const path = pathOf(operation, args.positionals);
  const input: RequestInput = {
    query: readQuery(operation, args),
    body: await readBody(operation, args),
    file: await readUpload(operation, args),
    options: { idempotencyKey: args.options['idempotency-key'] },
  };
  const { url: baseUrl, key: apiKey } = findServer(withoutFields(operation, args));
  const transport = new HttpTransport({ apiKey, baseUrl });
  try {
    if (operation.reply === 'file') return await download(transport, { path, input }, args, terminal);
    if (operation.reply === 'page') return await list(transport, { path, input }, args, terminal);
    const reply = await transport.send(operation.method, path, input);
    showResource(terminal, reply, `${operation.summary}: done.`);
    return 0;
  } catch (error) {
    if (!(error instanceof DialplaneError)) throw error;
    showError(terminal, error);
    return 1;
  }
}

type Request = { readonly path: string; readonly input: RequestInput };

function pathOf({ path, arguments: names }: Operation, words: readonly string[]): string {
  return names.reduce((made, name, index) => {
    const word = words[index] ?? '';
    if (['', '.', '..'].includes(word)) throw new UsageError(`${name.toUpperCase()} is "${word}"; give an id`);
    return made.replace(`{${name}}`, segment(word, name));
  }, path);
}

/** An option of the server that a field hides is not for finding the server. */
function withoutFields({ fields }: Operation, args: Arguments): Arguments {
  const names = new Set(fields.map(({ option }) => option));
  const kept = Object.entries(args.options).filter(([name]) => !names.has(name));
  return { ...args, options: Object.fromEntries(kept) };
}

async function readUpload({ fileTypes }: Operation, args: Arguments): Promise<FileBody | undefined> {
  if (fileTypes === undefined) return undefined;
  const file = required(args, 'file');
  const type = FILE_TYPES[extname(file).toLowerCase()];
  if (type === undefined || !fileTypes.includes(type)) {
    throw new UsageError(`--file is "${file}"; give a file of the type ${fileTypes.join(', ')}`);
  }
  const content = await readFile(file).catch((error: Error) => {
    throw new CommandError(`${file} cannot be read: ${error.message}`);
  });
  return { type, content: new Uint8Array(content) };
}

async function list(transport: HttpTransport, request: Request, args: Arguments, terminal: Terminal): Promise<number> {
  const read = (after?: string) => {
    const query = after === undefined ? request.input.query : { ...request.input.query, after };
    return transport.send<Page>('GET', request.path, { ...request.input, query });
  };
  let page = await read();
  const rows = page.data;
  while (args.flags.has('all') && page.next_cursor !== null) {
    page = await read(page.next_cursor);
    rows.push(...page.data);
  }
  showPage(terminal, { ...page, data: rows });
  return 0;
}

async function download(
  transport: HttpTransport,
  { path, input }: Request,
  args: Arguments,
  terminal: Terminal,
): Promise<number> {
  const output = required(args, 'output');
  const reply = await transport.open(path, input);
  const bytes = Readable.fromWeb(reply.body as Parameters<typeof Readable.fromWeb>[0]);
  if (output === '-') {
    for await (const chunk of bytes) process.stdout.write(chunk);
    return 0;
  }
  await pipeline(bytes, createWriteStream(output));
  const type = reply.headers.get('content-type');
  terminal.out(terminal.json ? JSON.stringify({ file: output, type }) : `Wrote ${output} (${type}).`);
  return 0;
}
