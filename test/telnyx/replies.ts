/** The replies of the emulator: Telnyx's bodies of success and of errors. */

export type Reply = {
  readonly status: number;
  /** Sent as JSON; none if it is absent. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
};

/** The status and title of an error code. The documents give no status for most codes; an adapter goes by the code. */
const ERRORS: Readonly<Record<string, readonly [status: number, title: string]>> = {
  '10005': [404, 'Resource not found'],
  '10007': [500, 'Unexpected error'],
  '10009': [401, 'Authentication failed'],
  '10011': [429, 'Too many requests'],
  '10010': [403, 'Authorization failed'],
  '10015': [422, 'Bad Request'],
  '10016': [422, 'Phone number must be in +E.164 format'],
  '10027': [422, 'Unprocessable Entity'],
  '10038': [403, 'Feature not permitted'],
  '10039': [403, 'Feature limited'],
  '20012': [403, 'Account inactive'],
  '20013': [403, 'Account blocked'],
  '20014': [403, 'Account unverified'],
  '20100': [402, 'Insufficient Funds'],
  '40100': [400, 'Number not messaging enabled.'],
  '40300': [403, 'Blocked due to STOP message'],
  '40302': [400, 'Message too large'],
  '40305': [400, "Invalid 'from' address"],
  '40309': [400, 'Invalid destination region'],
  '40310': [400, "Invalid 'to' address"],
  '40312': [400, 'Messaging profile is disabled'],
  '40314': [403, 'Messaging disabled on account'],
  '40315': [400, "Unhealthy 'from' address"],
  '40316': [400, 'No content provided for message'],
  '40317': [400, 'Invalid MMS content'],
  '40318': [429, 'Message queue full'],
  '40320': [400, "Temporarily unusable 'from' address"],
  '40322': [400, 'Blocked due to content'],
  '40329': [400, 'Tollfree number is not verified'],
  '40330': [400, 'Tollfree number is not provisioned'],
  '40333': [429, 'Messaging profile spend limit reached'],
  '80003': [422, 'Pending order'],
  '80200': [422, 'Duplicate phone numbers found'],
  '85000': [422, 'Must search phone number via search API first'],
  '85001': [422, 'Phone numbers not available'],
  '90015': [422, 'Invalid Call Control ID'],
  '90018': [422, 'Call has already ended'],
  '90020': [422, 'Call recording triggered before audio started'],
  '90034': [422, 'Call has not been answered yet'],
  '90041': [403, 'User termination channels limit exceeded'],
  '90042': [403, 'Outbound voice profile channels limit exceeded'],
  '90043': [403, 'Connection outbound channels limit exceeded'],
  '90045': [422, 'Media Streaming is used.'],
  '90046': [422, 'Media Streaming Failed.'],
  '90053': [422, "Call recording triggered with 'timeout_secs' while transcribing"],
  '90054': [422, 'Call Transcription is already in progress'],
  // Only Telnyx's page about dials has this code, and gives it no title.
  '90103': [429, 'Dials per second limit reached'],
};

/** Where the mistake is: a JSON pointer into the body, or the name of a query parameter. */
type Source = { readonly pointer: string } | { readonly parameter: string };

/** A request that is refused, with Telnyx's error body. */
export class Refusal extends Error {
  readonly reply: Reply;

  constructor(code: string, detail: string, source?: Source) {
    const [status, title] = ERRORS[code] ?? [400, `Error ${code}`];
    super(`${code} ${title}: ${detail}`);
    const meta = { url: `https://developers.telnyx.com/docs/overview/errors/${code}` };
    this.reply = { status, body: { errors: [{ code, title, detail, ...(source && { source }), meta }] } };
  }
}

export function ok(data: unknown): Reply {
  return { status: 200, body: { data } };
}

const PAGE_SIZE = { usual: 20, max: 250 };

/** Answers one page of a list, as `page[number]` and `page[size]` ask. */
export function page(items: readonly unknown[], query: URLSearchParams): Reply {
  const number = positive(query, 'page[number]', 1);
  const size = Math.min(positive(query, 'page[size]', PAGE_SIZE.usual), PAGE_SIZE.max);
  const data = items.slice((number - 1) * size, number * size);
  const total = items.length;
  const meta = { page_number: number, page_size: size, total_pages: Math.ceil(total / size), total_results: total };
  return { status: 200, body: { data, meta } };
}

export const PAGE_PARAMETERS: readonly string[] = ['page[number]', 'page[size]'];

/** Reads a whole number above 0 from a query. */
export function positive(query: URLSearchParams, parameter: string, usual: number): number {
  const text = query.get(parameter);
  if (text === null) return usual;
  if (/^[1-9]\d{0,5}$/.test(text)) return Number(text);
  throw new Refusal('10015', `${parameter} must be a whole number above 0`, { parameter });
}

/** Refuses a query with a parameter that the operation does not know. */
export function checkQuery(query: URLSearchParams, known: readonly string[]): void {
  for (const parameter of query.keys()) {
    if (!known.includes(parameter)) throw new Refusal('10015', `${parameter} is not known here`, { parameter });
  }
}

/** Returns `found`, or refuses with 404. */
export function orNotFound<T>(found: T | undefined): T {
  if (found === undefined) throw new Refusal('10005', 'The requested resource or URL could not be found.');
  return found;
}
