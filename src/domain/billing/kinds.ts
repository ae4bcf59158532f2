/** Kinds of usage, in display order. */
export const USAGE_KINDS = [
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
] as const;
export type UsageKind = (typeof USAGE_KINDS)[number];

/** The unit of a kind. */
export const USAGE_UNITS = ['segment', 'message', 'minute', 'month', 'registration'] as const;
export type UsageUnit = (typeof USAGE_UNITS)[number];

export const UNIT_OF: Readonly<Record<UsageKind, UsageUnit>> = {
  sms_segment_outbound: 'segment',
  sms_segment_inbound: 'segment',
  mms_outbound: 'message',
  mms_inbound: 'message',
  call_minute_outbound: 'minute',
  call_minute_inbound: 'minute',
  recording_minute: 'minute',
  transcription_minute: 'minute',
  stream_minute: 'minute',
  number_month: 'month',
  brand_registration: 'registration',
  campaign_setup: 'registration',
  campaign_month: 'month',
};

/** Fees charged immediately, at the registry's prices: micro-dollars. */
export const FEE_MICROS = {
  brand_registration: 4_000_000n,
  campaign_setup: 50_000_000n,
  campaign_month: 10_000_000n,
} as const;
export type FeeKind = keyof typeof FEE_MICROS;

/** Kinds charged later from hourly sums, by the price list. */
export type RatedKind = Exclude<UsageKind, FeeKind>;
export const RATED_KINDS = USAGE_KINDS.filter((kind): kind is RatedKind => !(kind in FEE_MICROS));
