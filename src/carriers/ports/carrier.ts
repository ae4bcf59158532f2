import type { Ledger } from '../../lib/scope.ts';
import type { E911Port } from './e911.ts';
import type { MessageFailure, MessagingPort } from './messaging.ts';
import type { NumbersPort } from './numbers.ts';
import type { PortInReport, PortingPort } from './porting.ts';
import type { BrandReview, CampaignReview, RegistryPort } from './registry.ts';
import type { VoiceEvent, VoicePort } from './voice.ts';

/** The capabilities of one carrier; what it lacks is absent. */
export type Carrier = {
  readonly name: string;
  readonly numbers?: NumbersPort;
  readonly messaging?: MessagingPort;
  readonly registry?: RegistryPort;
  readonly e911?: E911Port;
  readonly porting?: PortingPort;
  readonly voice?: VoicePort;
};

export type CarrierEvent =
  | VoiceEvent
  | {
      readonly type: 'message.received';
      /** The carrier's id of the text: a repeat with the same id is the same text. */
      readonly carrierMessageId: string;
      readonly from: string;
      readonly to: string;
      readonly body: string;
      readonly mediaUrls: readonly string[];
    }
  | {
      readonly type: 'message.receipt';
      readonly ref: string;
      readonly status: 'sent' | 'delivered' | 'failed';
      readonly failureReason?: MessageFailure;
    }
  | { readonly type: 'brand.review'; readonly ref: string; readonly review: BrandReview }
  | { readonly type: 'campaign.review'; readonly ref: string; readonly review: CampaignReview }
  | {
      readonly type: 'port_in.report';
      readonly ref: string;
      /** The submission that it is about. An adapter hands over the reports of one submission in their order. */
      readonly attempt: number;
      readonly report: PortInReport;
    };

/**
 * Where an adapter hands over events. It resolves once the event's effects are committed; until then the adapter
 * must keep the event and hand it over again after a crash.
 */
export type CarrierEventSink = (ledger: Ledger, events: readonly CarrierEvent[]) => Promise<void>;

/** The carrier of a ledger. Throws `carrier_unavailable` (ApiError) when nothing can carry the capability. */
export type Carriers = {
  numbers(ledger: Ledger): NumbersPort;
  messaging(ledger: Ledger): MessagingPort;
  registry(ledger: Ledger): RegistryPort;
  e911(ledger: Ledger): E911Port;
  porting(ledger: Ledger): PortingPort;
  voice(ledger: Ledger): VoicePort;
};
