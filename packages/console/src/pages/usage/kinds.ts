import type { Price, UsageSummary } from '@dialplane/sdk/resources';
import { microsOf } from '../../lib/numbers.ts';

export type Kind = Price['kind'];
export type UsageItem = Pick<UsageSummary['data'][number], 'kind' | 'quantity'>;

/** What each kind of usage is, in the order of the tables. */
export const KIND_TITLES: Readonly<Record<Kind, string>> = {
  sms_segment_outbound: 'Text segments sent',
  sms_segment_inbound: 'Text segments received',
  mms_outbound: 'Media messages sent',
  mms_inbound: 'Media messages received',
  call_minute_outbound: 'Call minutes, outbound',
  call_minute_inbound: 'Call minutes, inbound',
  recording_minute: 'Recorded minutes',
  transcription_minute: 'Transcribed minutes',
  stream_minute: 'Streamed minutes',
  number_month: 'Months of numbers',
  brand_registration: 'Brand registrations',
  campaign_setup: 'Campaign setups',
  campaign_month: 'Months of campaigns',
};
export const KINDS = Object.keys(KIND_TITLES) as Kind[];

export type KindGroup = { readonly title: string; readonly kinds: readonly Kind[] };

/** The kinds that a chart of costs adds up. */
export const COST_GROUPS: readonly KindGroup[] = [
  { title: 'Texts', kinds: ['sms_segment_outbound', 'sms_segment_inbound', 'mms_outbound', 'mms_inbound'] },
  { title: 'Calls', kinds: ['call_minute_outbound', 'call_minute_inbound'] },
  { title: 'Recordings and streams', kinds: ['recording_minute', 'transcription_minute', 'stream_minute'] },
  { title: 'Numbers', kinds: ['number_month'] },
  { title: 'Registrations', kinds: ['brand_registration', 'campaign_setup', 'campaign_month'] },
];
const [TEXTS, CALLS] = COST_GROUPS as [KindGroup, KindGroup];
export const TEXT_KINDS = TEXTS.kinds;
export const CALL_KINDS = CALLS.kinds;

/** The price of one unit of each kind, in micro-dollars. */
export type Prices = ReadonlyMap<Kind, number>;

export function pricesOf(list: readonly Price[]): Prices {
  return new Map(list.map(({ kind, amount_usd }) => [kind, microsOf(amount_usd)]));
}

export function quantityOf(items: readonly UsageItem[], kinds: readonly Kind[]): number {
  return items.filter(({ kind }) => kinds.includes(kind)).reduce((sum, { quantity }) => sum + quantity, 0);
}

/** Returns the cost of the items in micro-dollars, at the given prices. */
export function costOf(items: readonly UsageItem[], prices: Prices): number {
  return items.reduce((sum, { kind, quantity }) => sum + quantity * (prices.get(kind) ?? 0), 0);
}
