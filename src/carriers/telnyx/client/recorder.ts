/**
 * Records the requests to Telnyx and its answers, so that the operator can see how Telnyx behaves. Of a text it records
 * only the length, unless the text is one of Telnyx's own words for states and errors. Of a number it records only the
 * form. A state that Telnyx repeats (`client_state`) is replaced by a mark, so that repeats can be recognised.
 */
import { createHash } from 'node:crypto';
import { appendFile, mkdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { isWithheldNumber } from '../../../lib/phone/party.ts';
import { today } from '../../../lib/time/time.ts';

type Exchange = {
  /** The method, and the path with names in place of ids. */
  readonly operation: string;
  readonly status: number | null;
  readonly sent: unknown;
  readonly received: unknown;
};

export type Recorder = (exchange: Exchange) => void;

/** The maximum size of the file. */
const FILE_BYTES_MAX = 50_000_000;

/** Fields whose texts are Telnyx's words. */
const KEPT = new Set([
  ...['status', 'result', 'code', 'title', 'type', 'record_type', 'event_type', 'direction', 'state'],
  ...['emergency_status', 'assignmentStatus', 'identityStatus', 'campaignStatus', 'submissionStatus', 'entityType'],
  ...['usecase', 'autoresponse_type', 'encoding', 'hangup_cause', 'hangup_source', 'region_type'],
  ...['deliveryStatus', 'requirement_status', 'messaging_port_status'],
]);
/**
 * Fields whose texts are Telnyx's words only below these parents. Elsewhere such a field has a person's name or a
 * tenant's id.
 */
const KEPT_BELOW = new Set(['features.name', 'requirement_type.name', 'status.value']);

/** Fields that may contain a number in different forms. */
const NUMBERS = new Set(['from', 'to', 'phone_number', 'phoneNumber', 'caller_id_number']);
/** Telnyx's replacements for a withheld number. */
const WORDS = /^(?:anonymous|restricted|unavailable|unknown|private|withheld)?$/i;

/** Returns the value with its texts replaced by their lengths. */
function redact(value: unknown, key = '', parent = ''): unknown {
  if (typeof value === 'string') return redactText(value, key, parent);
  if (Array.isArray(value)) return value.map((entry) => redact(entry, key, parent));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, entry]) => [name, redact(entry, name, key)]));
}

function redactText(text: string, key: string, parent: string): string {
  if (KEPT.has(key) || KEPT_BELOW.has(`${parent}.${key}`)) return text;
  if (NUMBERS.has(key)) return isWithheldNumber(text) || WORDS.test(text) ? text : formOf(text);
  const length = `${text.length} characters`;
  return key === 'client_state' ? `(${length}, ${markOf(text)})` : `(${length})`;
}

/** Replaces each digit by `9` and each letter by `a`. So it shows the form of a number, and none of its digits. */
function formOf(text: string): string {
  return text.replaceAll(/\d/g, '9').replaceAll(/\p{L}/gu, 'a');
}

/** Returns a mark for a text. Equal texts have equal marks. A mark does not reveal its text. */
function markOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 8);
}

/** Creates a recorder that appends lines of JSON to a file in `directory`, named after the connection. */
export function createRecorder({
  directory,
  connection,
  log,
}: {
  directory: string;
  connection: string;
  log: Logger;
}): { readonly record: Recorder; readonly close: () => Promise<void> } {
  const file = join(directory, `${connection}.jsonl`);
  let written = Promise.resolve();
  const append = async ({ operation, status, sent, received }: Exchange) => {
    await mkdir(directory, { recursive: true, mode: 0o700 });
    const size = await stat(file).then(
      (found) => found.size,
      () => 0,
    );
    if (size >= FILE_BYTES_MAX) return;
    const line = { at: today().toISOString(), operation, status, sent: redact(sent), received: redact(received) };
    await appendFile(file, `${JSON.stringify(line)}\n`, { mode: 0o600 });
  };
  return {
    record: (exchange) => {
      written = written
        .then(() => append(exchange))
        .catch((error: unknown) => log.warn({ err: error, file }, 'an exchange with Telnyx was not recorded'));
    },
    close: () => written,
  };
}
