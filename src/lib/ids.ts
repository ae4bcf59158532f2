import { createHash, randomFillSync } from 'node:crypto';
import { now } from './time/time.ts';

/** The prefix of every kind of id. */
export const ID_PREFIXES = {
  account: 'acct',
  api_key: 'key',
  browser_session: 'brs',
  console_session: 'cns',
  user: 'usr',
  tenant: 'tnt',
  phone_number: 'num',
  e911_address: 'e911',
  port_in: 'port',
  port_in_document: 'doc',
  routing_config: 'rtc',
  queue: 'que',
  call: 'call',
  call_leg: 'leg',
  voicemail: 'vm',
  speech: 'spc',
  recording: 'rec',
  utterance: 'utt',
  media_stream: 'stm',
  call_relay: 'rly',
  listener: 'lsn',
  web_client: 'wcl',
  message: 'msg',
  message_template: 'tpl',
  conversation: 'cnv',
  note: 'nte',
  contact: 'con',
  brand: 'brd',
  campaign: 'cmp',
  opt_in_form: 'oif',
  opt_in_submission: 'ois',
  webhook_endpoint: 'whe',
  webhook_delivery: 'whd',
  webhook_replay: 'whr',
  webhook_secret: 'whs',
  person_erasure: 'ers',
  person_export: 'exp',
  event: 'evt',
  balance_entry: 'ble',
  audit_entry: 'aud',
  carrier_connection: 'ccn',
  carrier_request: 'crq',
  request: 'req',
  job: 'job',
} as const;

export type IdKind = keyof typeof ID_PREFIXES;

// Crockford's base32, without letters that look like digits. Its order is ASCII order, so ids sort by time.
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';

const pool = Buffer.alloc(10 * 512);
let poolOffset = pool.length;
let lastMs = 0;
let counter = 0;

/**
 * Makes an id: prefix, `_` and the 128 bits of a UUIDv7 (RFC 9562, 5.7) in 26 base32 characters. Ids made by one
 * process ascend, also within a millisecond (12 bits of counter); 62 bits are random.
 */
export function newId(kind: IdKind): string {
  return `${ID_PREFIXES[kind]}_${timeOrdered()}`;
}

/**
 * Makes an id from the id of another resource and a number. Equal arguments give an equal id, so pure functions can
 * make ids.
 */
export function derivedId(kind: IdKind, id: string, number: number): string {
  const time = id.slice(id.indexOf('_') + 1).slice(0, TIME_CHARS);
  const hash = createHash('sha256').update(`${kind} ${id} ${number}`).digest();
  const rest = [...hash.subarray(0, ID_CHARS - TIME_CHARS)].map((byte) => ALPHABET[byte & 31]).join('');
  return `${ID_PREFIXES[kind]}_${time}${rest}`;
}

const ID_CHARS = 26;
/** The characters of an id that contain its time. */
const TIME_CHARS = 10;

function timeOrdered(): string {
  const nowMs = now();
  if (nowMs > lastMs) {
    lastMs = nowMs;
    counter = 0;
  } else if (++counter > 0xfff) {
    lastMs++;
    counter = 0;
  }
  if (poolOffset + 10 > pool.length) {
    randomFillSync(pool);
    poolOffset = 0;
  }
  const high = (BigInt(lastMs) << 16n) | 0x7000n | BigInt(counter);
  const low = (pool.readBigUInt64BE(poolOffset) & 0x3fffffffffffffffn) | 0x8000000000000000n;
  poolOffset += 10;
  return base32(high, low);
}

function base32(high: bigint, low: bigint): string {
  // 128 bits are 25.6 characters: the first character has two leading zero bits.
  let text = '';
  let value = (high << 64n) | low;
  for (let i = 0; i < 26; i++) {
    text = ALPHABET[Number(value & 31n)] + text;
    value >>= 5n;
  }
  return text;
}

/** True if the text has the form of an id of this kind. */
export function isId(kind: IdKind, text: string): boolean {
  return text.length === ID_PREFIXES[kind].length + 27 && text.startsWith(`${ID_PREFIXES[kind]}_`);
}
