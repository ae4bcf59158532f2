import type { Price, UsageSummary } from '@dialplane/sdk/resources';
import { microsOf } from '../../lib/numbers.ts';

export type Kind = Price['kind'];
export type UsageItem = Pick<UsageSummary['data'][number], 'kind' | 'quantity'>;

/** The kinds of usage, in the order of the tables. */
export const KINDS = [
  'sms_segment_outbound',
  'sms_segment_inbound',
  'mms_outbound',
  'mms_inbound',
  'call_minute_outbound',
  'call_minute_inbound',
  'recording_minute',
  'transcription_minute',
  'stream_minute',
  'number_month',
  'brand_registration',
  'campaign_setup',
  'campaign_month',
] as const satisfies readonly Kind[];

export type KindGroup = {
  readonly name: 'texts' | 'calls' | 'recordings' | 'numbers' | 'registrations';
  readonly kinds: readonly Kind[];
};

/** The kinds that a chart of costs adds up. */
export const COST_GROUPS: readonly KindGroup[] = [
  { name: 'texts', kinds: ['sms_segment_outbound', 'sms_segment_inbound', 'mms_outbound', 'mms_inbound'] },
  { name: 'calls', kinds: ['call_minute_outbound', 'call_minute_inbound'] },
  { name: 'recordings', kinds: ['recording_minute', 'transcription_minute', 'stream_minute'] },
  { name: 'numbers', kinds: ['number_month'] },
  { name: 'registrations', kinds: ['brand_registration', 'campaign_setup', 'campaign_month'] },
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

/** Returns the sum of each kind over all items. */
export function sumByKind(items: readonly UsageItem[]): UsageItem[] {
  const kinds = Map.groupBy(items, ({ kind }) => kind);
  return [...kinds].map(([kind, its]) => ({ kind, quantity: quantityOf(its, [kind]) }));
}

/** Returns the cost of the items in micro-dollars, at the given prices. */
export function costOf(items: readonly UsageItem[], prices: Prices): number {
  return items.reduce((sum, { kind, quantity }) => sum + quantity * (prices.get(kind) ?? 0), 0);
}
