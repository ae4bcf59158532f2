/** The records of a CSV file in any usual encoding, in the order of the file. */
import { createReadStream } from 'node:fs';
import { CsvError, type Parser, parse } from 'csv-parse';
import { CommandError } from '../command.ts';

/** A record of the file. A quoted cell may have line breaks, so a record can have several lines. */
export type CsvRecord = {
  /** The number of its first line, from 1. */
  readonly line: number;
  readonly cells: readonly string[];
};

export type CsvFile = {
  /** Returns the share of the file that has been read, from 0 to 1. */
  done(): number;
  records(): AsyncGenerator<CsvRecord>;
};

/** A longer record means that a closing quote is missing. */
const RECORD_CHARS_MAX = 64 * 1024;
const DELIMITERS = [',', ';', '\t'];

/** Opens a CSV file. Throws CommandError if the file cannot be read or is not text. */
export async function openCsv(path: string): Promise<CsvFile> {
  const { encoding, size } = await inspect(path);
  const input = createReadStream(path);
  return {
    done: () => (size === 0 ? 1 : input.bytesRead / size),
    records: () => recordsOf(path, textOf(input, encoding)),
  };
}

type Kind = { readonly encoding: string; readonly size: number };

async function inspect(path: string): Promise<Kind> {
  const chunks: AsyncIterable<Buffer> = createReadStream(path);
  const kind = await readKind(chunks).catch((error: Error) => {
    throw new CommandError(`${path} cannot be read: ${error.message}`);
  });
  if (kind !== undefined) return kind;
  throw new CommandError(`${path} is not a text in UTF-8, in UTF-16 with its byte order mark, or in Windows-1252.`);
}

/**
 * A byte order mark at the start decides. Without a mark, text that is not valid UTF-8 is read as Windows-1252, as
 * Excel saves it.
 */
async function readKind(chunks: AsyncIterable<Buffer>): Promise<Kind | undefined> {
  const utf8 = new TextDecoder('utf-8', { fatal: true });
  let marked: string | undefined;
  let isUtf8 = true;
  let size = 0;
  for await (const chunk of chunks) {
    if (size === 0) marked = markOf(chunk);
    size += chunk.length;
    if (marked === undefined && chunk.includes(0)) return undefined;
    isUtf8 &&= decodes(utf8, chunk);
  }
  return { encoding: marked ?? (isUtf8 && decodes(utf8) ? 'utf-8' : 'windows-1252'), size };
}

function markOf(bytes: Buffer): string | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  return bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : undefined;
}

function decodes(decoder: TextDecoder, chunk?: Buffer): boolean {
  try {
    decoder.decode(chunk, { stream: chunk !== undefined });
    return true;
  } catch {
    return false;
  }
}

async function* textOf(input: AsyncIterable<Buffer>, encoding: string): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding);
  for await (const chunk of input) yield decoder.decode(chunk, { stream: true });
  yield decoder.decode();
}

/** The parser returns each record before it reads the next part of the text. So no record before a mistake is lost. */
async function* recordsOf(path: string, text: AsyncGenerator<string>): AsyncGenerator<CsvRecord> {
  const { value: head = '' } = await text.next();
  let found: string[][] = [];
  const parser = parse({
    delimiter: delimiterOf(head),
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_quotes: true,
    relax_column_count: true,
    max_record_size: RECORD_CHARS_MAX,
    on_record: (record: string[]) => {
      found.push(record);
      return null;
    },
  });
  // `feed` returns the errors, so this listener ignores them.
  parser.on('error', () => undefined);
  let line = 1;
  for await (const part of partsOf(head, text)) {
    const failure = await feed(parser, part);
    for (const cells of found) {
      yield { line, cells: cells.map((cell) => cell.trim()) };
      line += 1 + cells.reduce((sum, cell) => sum + (cell.match(LINE_BREAK)?.length ?? 0), 0);
    }
    if (failure !== undefined) {
      throw new CommandError(`${path} cannot be read from line ${line} on: a quote there is not closed.`);
    }
    found = [];
  }
}

const LINE_BREAK = /\r\n|\n|\r/g;

/** Returns the parts of the text; null marks the end. */
async function* partsOf(head: string, rest: AsyncGenerator<string>): AsyncGenerator<string | null> {
  yield head;
  yield* rest;
  yield null;
}

/** Passes a part of the text, or its end, to the parser. @returns the parser's error, if any */
async function feed(parser: Parser, part: string | null): Promise<CsvError | undefined> {
  const error = await new Promise<Error | null | undefined>((resolve) => {
    if (part === null) parser.end(resolve);
    else parser.write(part, resolve);
  });
  if (error && !(error instanceof CsvError)) throw error;
  return error ?? undefined;
}

/** Returns the delimiter that is most frequent in the first line, outside of quotes. */
function delimiterOf(head: string): string {
  const [line = ''] = head.replaceAll(/"[^"]*"/g, '').split(/\r\n|\r|\n/, 1);
  const count = (delimiter: string) => line.split(delimiter).length;
  return DELIMITERS.toSorted((a, b) => count(b) - count(a))[0] as string;
}
