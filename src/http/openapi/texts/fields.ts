import { ID_PREFIXES, type IdKind } from '../../../lib/ids.ts';
import type { JsonSchema } from '../types.ts';

/** The kind of resource whose id a field or a parameter holds. */
const KINDS: Readonly<Record<string, IdKind>> = {
  tenant_id: 'tenant',
  number_id: 'phone_number',
  phone_number_id: 'phone_number',
  routing_config_id: 'routing_config',
  brand_id: 'brand',
  campaign_id: 'campaign',
  message_id: 'message',
  conversation_id: 'conversation',
  contact_id: 'contact',
  queue_id: 'queue',
  call_id: 'call',
  person_erasure_id: 'person_erasure',
  person_export_id: 'person_export',
  recording_id: 'recording',
  voicemail_id: 'voicemail',
  stream_id: 'media_stream',
  listener_id: 'listener',
  note_id: 'note',
  endpoint_id: 'webhook_endpoint',
  event_id: 'event',
  delivery_id: 'webhook_delivery',
  replay_id: 'webhook_replay',
  key_id: 'api_key',
  browser_session_id: 'browser_session',
  web_client_id: 'web_client',
  port_in_id: 'port_in',
  document_id: 'port_in_document',
  opt_in_form_id: 'opt_in_form',
  template_id: 'message_template',
  speech_id: 'speech',
  account_id: 'account',
  session_id: 'console_session',
  user_id: 'user',
};

/** The meaning of the fields and parameters of these names if their schema has no description. */
const TEXTS: Readonly<Record<string, string>> = {
  limit: 'Most items of the page.',
  has_more: 'Whether another page follows.',
  next_cursor: 'Send it as `after` to get the next page. Null on the last page.',
  metadata: 'Your own names and texts, returned unchanged.',
  external_ref: 'Your own id of the tenant.',
  timezone: 'A name of the IANA database, such as America/Phoenix.',
  event_version: 'The format of the event. An endpoint keeps the version with which it was created.',
  resource_id: 'Id of the resource that the event is about. `sequence` counts its events.',
  state: 'Two letters, such as AZ.',
  region: 'Two letters of the state, such as AZ.',
  postal_code: 'ZIP code.',
  area_code: 'Three digits, such as 602.',
  dba: 'The name under which the company does business, if it is another.',
  entity_name: 'Holder of the account at the losing carrier.',
  authorized_person: 'Who may order the port-in for the holder of the account.',
  account_number: 'Number of the account at the losing carrier.',
  pin: 'PIN of the account at the losing carrier. It is never returned.',
  foc_date: 'When the losing carrier hands the numbers over. Null until it has confirmed a date.',
  media_urls: 'Public addresses of the files that are sent with the text.',
  segments: 'Parts in which the text is sent. Each is billed.',
  error_code: 'Why the text failed. Null unless it has failed.',
  error_detail: "Why the text failed in its carrier's own terms. Null if no carrier has named an error.",
  strategy: '`simultaneous` rings all targets at once, `sequential` rings them one after the other.',
  targets:
    'E.164 numbers, ids of web clients, telephones (`sip_phone:front`), and `application`: the software of the platform.',
  no_answer: 'What follows if no target answers. Null hangs up.',
  greeting_text: 'Read out to the caller before the tone.',
  transcribe: 'Whether it is transcribed.',
  timeout_seconds: 'How long it waits, in seconds.',
  ring_seconds: 'How long the new agent rings, in seconds.',
  tries: 'How often the prompt is spoken before `otherwise` follows.',
  digit: 'A digit, `*`, `#` or a letter from A to D.',
  duration_seconds: 'In whole seconds.',
  duration_ms: 'In milliseconds.',
  size_bytes: 'In bytes.',
  seconds: 'Length of the message, in seconds.',
  advance_seconds: 'How far the clock moves, in seconds.',
  delay_seconds: 'In seconds.',
  max_digits: 'The gather ends when it has this many digits.',
  response_status: 'HTTP status of the reply of the receiver. Null without a reply.',
  docs_url: 'The page about the code.',
  param: 'Path of the field, or name of the parameter or header, that is at fault.',
  slug: 'Last part of the address of the page.',
  position: 'Place of the file in the `media` of the message, from 0.',
  external_number: 'The number of the other person, in E.164.',
  agent: 'As in the list of the queue.',
  currency: 'ISO 4217, in lower case.',
};

function textOf(name: string): string | undefined {
  const kind = KINDS[name];
  if (kind === undefined) return TEXTS[name];
  const words = kind.replaceAll('_', ' ').replace(/^(port|opt) in\b/, '$1-in');
  return `Id of the ${words} (\`${ID_PREFIXES[kind]}_…\`).`;
}

/** Describes a field or a parameter that has no description, if its name is in the table. */
export function describeField<Field extends object>(name: string, field: Field): Field {
  const text = textOf(name);
  return text === undefined || 'description' in field || '$ref' in field ? field : { ...field, description: text };
}

/** Describes the fields of a schema, and of the schemas within it. */
export function describeFields(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(describeFields);
  if (typeof value !== 'object' || value === null) return value;
  const described = Object.entries(value).map(([keyword, inner]) => [
    keyword,
    keyword === 'properties' ? describeProperties(inner as JsonSchema) : describeFields(inner),
  ]);
  return Object.fromEntries(described);
}

function describeProperties(properties: JsonSchema): JsonSchema {
  const described = Object.entries(properties).map(([name, schema]) => [
    name,
    describeField(name, describeFields(schema) as object),
  ]);
  return Object.fromEntries(described);
}
