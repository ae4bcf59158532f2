/** The numbers that the emulator has for sale: an endless stock that follows from the search. */
import { TOLL_FREE_AREA_CODES } from '../../src/lib/phone/nanp.ts';
import { checkQuery, positive, Refusal, type Reply } from './replies.ts';
import type { Route } from './routes.ts';
import type { State } from './state.ts';

const FILTERS: readonly string[] = [
  'filter[country_code]',
  'filter[national_destination_code]',
  'filter[locality]',
  'filter[administrative_area]',
  'filter[phone_number_type]',
  'filter[phone_number][contains]',
  'filter[phone_number][starts_with]',
  'filter[phone_number][ends_with]',
  'filter[features]',
  'filter[features][]',
  'filter[limit]',
];

type Place = { readonly locality: string; readonly region: string };

/** The places of area codes. Numbers with other area codes have no place. */
const PLACES: ReadonlyMap<string, Place> = new Map([
  ['303', { locality: 'DENVER', region: 'CO' }],
  ['212', { locality: 'NEW YORK', region: 'NY' }],
  ['415', { locality: 'SAN FRANCISCO', region: 'CA' }],
  ['512', { locality: 'AUSTIN', region: 'TX' }],
  ['312', { locality: 'CHICAGO', region: 'IL' }],
  ['206', { locality: 'SEATTLE', region: 'WA' }],
]);

const FEATURES: readonly string[] = ['sms', 'mms', 'voice', 'emergency', 'fax'];
const TOLL_FREE_FEATURES: readonly string[] = ['sms', 'mms', 'voice', 'fax'];
const LIMIT = { usual: 20, max: 100 };
/** How many numbers of an area code a search looks through. */
const STOCK = 2_000;

/** Returns the operations that find numbers for sale. */
export function availableNumberRoutes(state: State): readonly Route[] {
  return [{ name: 'GET /available_phone_numbers', answer: ({ query }) => search(state, query) }];
}

function search(state: State, query: URLSearchParams): Reply {
  checkQuery(query, FILTERS);
  const country = query.get('filter[country_code]') ?? 'US';
  if (country !== 'US')
    throw new Refusal('10015', 'only US numbers are for sale', { parameter: 'filter[country_code]' });
  const limit = Math.min(positive(query, 'filter[limit]', LIMIT.usual), LIMIT.max);
  const data = [];
  for (const number of candidates(query)) {
    if (data.length === limit) break;
    if (state.numbers.has(number) || !hasFeatures(number, query)) continue;
    state.offered.add(number);
    data.push(describe(number));
  }
  const meta = { total_results: data.length, best_effort_results: 0 };
  return { status: 200, body: { data, meta } };
}

/** Returns numbers in the order of the offers. */
function* candidates(query: URLSearchParams): Generator<string> {
  const contains = query.get('filter[phone_number][contains]') ?? '';
  const starts = query.get('filter[phone_number][starts_with]') ?? '';
  const ends = query.get('filter[phone_number][ends_with]') ?? '';
  for (const areaCode of areaCodesOf(query)) {
    for (let index = 0; index < STOCK; index++) {
      const number = numberOf(areaCode, index, contains || ends);
      const national = number.slice(2);
      if (national.includes(contains) && national.startsWith(starts) && national.endsWith(ends)) yield number;
    }
  }
}

/** Returns a number of the stock. It ends with the wanted digits if a US number can end with them. */
function numberOf(areaCode: string, index: number, wanted: string): string {
  const local = `73${index % 10}${String((1000 + index * 37) % 10_000).padStart(4, '0')}`;
  const fits = /^\d{1,4}$/.test(wanted) || /^[2-9]\d{4,6}$/.test(wanted);
  if (!fits) return `+1${areaCode}${local}`;
  // The digits before the wanted ones count through the stock.
  const free = 7 - wanted.length;
  const head = free < 3 ? local.slice(0, free) : `73${String(index % 10 ** (free - 2)).padStart(free - 2, '0')}`;
  return `+1${areaCode}${head}${wanted}`;
}

function areaCodesOf(query: URLSearchParams): readonly string[] {
  const areaCode = query.get('filter[national_destination_code]');
  if (areaCode !== null) return /^[2-9]\d\d$/.test(areaCode) ? [areaCode] : [];
  if (query.get('filter[phone_number_type]') === 'toll_free') return [...TOLL_FREE_AREA_CODES];
  const locality = query.get('filter[locality]')?.toUpperCase();
  const region = query.get('filter[administrative_area]')?.toUpperCase();
  const isThere = ([, place]: [string, Place]) =>
    place.locality === (locality ?? place.locality) && place.region === (region ?? place.region);
  return [...PLACES].filter(isThere).map(([code]) => code);
}

/** True if the number has the requested features. Clients name features in two forms. */
function hasFeatures(number: string, query: URLSearchParams): boolean {
  const wanted = [
    ...query.getAll('filter[features][]'),
    ...query.getAll('filter[features]').flatMap((all) => all.split(',')),
  ];
  return wanted.every((feature) => featuresOf(number).includes(feature));
}

function featuresOf(number: string): readonly string[] {
  return isTollFree(number) ? TOLL_FREE_FEATURES : FEATURES;
}

export function isTollFree(number: string): boolean {
  return TOLL_FREE_AREA_CODES.has(number.slice(2, 5));
}

function describe(number: string): unknown {
  const place = PLACES.get(number.slice(2, 5));
  const regions = place && [
    { region_type: 'location', region_name: place.locality },
    { region_type: 'state', region_name: place.region },
  ];
  return {
    record_type: 'available_phone_number',
    phone_number: number,
    vanity_format: '',
    best_effort: false,
    quickship: true,
    reservable: true,
    region_information: [{ region_type: 'country_code', region_name: 'US' }, ...(regions ?? [])],
    cost_information: { upfront_cost: '1.00', monthly_cost: '1.00', currency: 'USD' },
    features: featuresOf(number).map((name) => ({ name })),
  };
}
