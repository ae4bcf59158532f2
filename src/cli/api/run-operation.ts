/** Sends the request of a command and prints the reply. */
import { createWriteStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { extname } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type Arguments, CommandError, required, type Terminal, UsageError } from '../command.ts';
import { findServer, type ServerAccess } from '../developer/server-access.ts';
import type { Operation } from './operations.ts';
import { readBody, readQuery } from './read-request.ts';
import { Refusal, type Request, sendRequest } from './send-request.ts';
import { showPage, showRefusal, showResource } from './show-reply.ts';

type Page = { data: Readonly<Record<string, unknown>>[]; has_more: boolean; next_cursor: string | null };

/** The types of the files that operations take, by the ending of the file's name. */
const FILE_TYPES: Readonly<Record<string, string>> = {
  '.pdf': 'application/pdf',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
};

/** Returns the exit code. A refusal by the API is printed, with exit code 1. */
export async function runOperation(operation: Operation, args: Arguments, terminal: Terminal): Promise<number> {
  const request: Request = {
    method: operation.method,
    path: pathOf(operation, args.positionals),
    query: readQuery(operation, args),
    body: operation.fileTypes ? await readUpload(operation.fileTypes, args) : await readBody(operation, args),
    idempotencyKey: args.options['idempotency-key'],
  };
  const server = findServer(withoutFields(operation, args), terminal);
  if (!(await isWanted(operation, { server, request, args, terminal }))) {
    throw new CommandError('Nothing was sent.');
  }
  try {
    await carryOut(operation, { server, request, args, terminal });
    return 0;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    showRefusal(terminal, error.body);
    return 1;
  }
}

type Work = {
  readonly server: ServerAccess;
  readonly request: Request;
  readonly args: Arguments;
  readonly terminal: Terminal;
};

/**
 * Asks the user before a live key deletes something. A deletion is final, and a live key is easily confused with a test
 * key.
 */
async function isWanted({ summary }: Operation, { server, request, args, terminal }: Work): Promise<boolean> {
  if (request.method !== 'DELETE' || !server.key.startsWith('svc_live_') || args.flags.has('yes')) return true;
  return await terminal.confirm(`${summary} (${args.positionals.join(' ')}) with a live key of ${server.url}?`);
}

async function carryOut({ reply, summary }: Operation, work: Work): Promise<void> {
  if (reply === 'page') return list(work);
  // `--output` is required before the request, because the request may have an effect.
  if (reply === 'file') return download(work, required(work.args, 'output'));
  const text = await (await send(work)).text();
  showResource(work.terminal, text === '' ? undefined : JSON.parse(text), `${summary}: done.`);
}

function send({ server, request, terminal }: Work): Promise<Response> {
  return sendRequest(server, request, (seconds) => terminal.err(`The server is busy; trying again in ${seconds} s.`));
}

function pathOf({ path, arguments: names }: Operation, words: readonly string[]): string {
  return names.reduce((made, name, index) => {
    const word = words[index] ?? '';
    // A path with this word would lead to another resource.
    if (['', '.', '..'].includes(word)) throw new UsageError(`${name.toUpperCase()} is "${word}"; give an id`);
    return made.replace(`{${name}}`, () => encodeURIComponent(word));
  }, path);
}

/** Removes options that mean a field of the operation. They do not choose the server. */
function withoutFields({ fields }: Operation, args: Arguments): Arguments {
  const names = new Set(fields.map(({ option }) => option));
  const kept = Object.entries(args.options).filter(([name]) => !names.has(name));
  return { ...args, options: Object.fromEntries(kept) };
}

async function readUpload(fileTypes: readonly string[], args: Arguments) {
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

async function list(work: Work): Promise<void> {
  const { request, args, terminal } = work;
  const read = async (query: Request['query']) =>
    (await (await send({ ...work, request: { ...request, query } })).json()) as Page;
  let page = await read(request.query);
  const rows = page.data;
  while (args.flags.has('all') && page.next_cursor !== null) {
    page = await read({ ...request.query, after: page.next_cursor });
    rows.push(...page.data);
  }
  showPage(terminal, { ...page, data: rows });
}

async function download(work: Work, output: string): Promise<void> {
  const reply = await send(work);
  const bytes = Readable.fromWeb(reply.body as Parameters<typeof Readable.fromWeb>[0]);
  if (output === '-') {
    for await (const chunk of bytes) process.stdout.write(chunk);
    return;
  }
  await pipeline(bytes, createWriteStream(output)).catch((error: Error) => {
    throw new CommandError(`${output} cannot be written: ${error.message}`);
  });
  const type = reply.headers.get('content-type');
  const { terminal } = work;
  terminal.out(terminal.json ? JSON.stringify({ file: output, type }) : `Wrote ${output} (${type}).`);
}
