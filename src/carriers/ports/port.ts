/**
 * The only vocabulary in which the domain and a carrier speak. It is split by capability, so that a ledger may take
 * numbers and texts from one carrier and calls from another. Commands go out through a capability; what happens at the
 * carrier comes back as a CarrierEvent, possibly late, twice or out of order.
 *
 * `ref` is always Dialplane's own id of the thing: commands carry it, events bring it back, and a carrier that takes
 * no idempotency key is asked by it what became of a command whose answer was lost.
 */
import type { Ledger } from '../../lib/scope.ts';
import type { VoiceEvent, VoicePort } from './voice.ts';

/**
 * What became of a command.
 * - accepted: the carrier has it.
 * - rejected: it never will; `reason` is one of the port's words, not the carrier's. `Refusal` is what comes with it.
 * - unavailable: it certainly has not; try again, not before `retryAfterMs` if given.
 * - unknown: it may have; ask (`find…`) before anything else, never repeat blindly.
 */
export type Outcome<Accepted, Reason extends string = string, Refusal = object> =
  | ({ readonly outcome: 'accepted' } & Accepted)
  | ({ readonly outcome: 'rejected'; readonly reason: Reason } & Refusal)
  | { readonly outcome: 'unavailable'; readonly retryAfterMs?: number }
  | { readonly outcome: 'unknown' };

/** What the carrier knows of a command whose answer was lost. `undecided`: ask again later. */
export type Found<Accepted> = ({ readonly found: 'accepted' } & Accepted) | { readonly found: 'absent' | 'undecided' };

export const CAPABILITIES = ['sms', 'mms', 'voice'] as const;
export type Capability = (typeof CAPABILITIES)[number];

export type AvailableNumber = {
  readonly phone_number: string;
  readonly locality: string;
  readonly region: string;
  readonly capabilities: readonly Capability[];
  /** Decimal string, such as "1.00". */
  readonly monthly_price_usd: string;
};

export type NumberSearch = {
  /** Three digits. */
  readonly areaCode?: string;
  readonly locality?: string;
  /** Digits found anywhere in the national number. */
  readonly contains?: string;
  readonly limit: number;
};

export type NumberOrder = { readonly ref: string; readonly phoneNumber: string };

export type OrderedNumber = { readonly carrierRef: string; readonly capabilities: readonly Capability[] };

export type NumbersPort = {
  search(ledger: Ledger, search: NumberSearch): Promise<readonly AvailableNumber[]>;
  /** Idempotent by `ref` where the carrier allows it; otherwise an unclear answer is `unknown`. */
  order(ledger: Ledger, order: NumberOrder): Promise<Outcome<OrderedNumber, 'number_unavailable'>>;
  findOrder(ledger: Ledger, order: NumberOrder): Promise<Found<OrderedNumber>>;
  /** Releasing a number that is already gone is `accepted`. */
  release(ledger: Ledger, number: { phoneNumber: string; carrierRef: string }): Promise<Outcome<object>>;
};

export type OutboundMessage = {
  readonly ref: string;
  readonly from: string;
  readonly to: string;
  readonly body: string;
  readonly mediaUrls: readonly string[];
};

/** Why a text did not arrive, in the words callers see as `error_code` and `failure_reason`. */
export const MESSAGE_FAILURES = [
  'carrier_rejected',
  'send_failed',
  'unreachable',
  'spam_blocked',
  'daily_cap_exceeded',
  'expired',
  'recipient_opted_out',
] as const;
export type MessageFailure = (typeof MESSAGE_FAILURES)[number];

export type MessagingPort = {
  send(ledger: Ledger, message: OutboundMessage): Promise<Outcome<object, MessageFailure>>;
  findSend(ledger: Ledger, ref: string): Promise<Found<object>>;
};

/**
 * 10DLC registrations. `ref` of a brand, campaign or assignment is Dialplane's id; what a registry decides comes as a
 * CarrierEvent, and for one that does not report by itself `find…` is asked now and then.
 */
export const ENTITY_TYPES = ['private_company', 'public_company', 'non_profit', 'sole_proprietor'] as const;
export type EntityType = (typeof ENTITY_TYPES)[number];

export type BrandRegistration = {
  readonly ref: string;
  readonly legalName: string;
  readonly dba: string | null;
  /** Nine digits. */
  readonly ein: string;
  readonly entityType: EntityType;
  readonly website: string | null;
  readonly contactEmail: string;
  readonly phone: string;
  readonly street: string;
  readonly city: string;
  readonly state: string;
  readonly postalCode: string;
};

export type CampaignRegistration = {
  readonly ref: string;
  readonly brandRef: string;
  /** The registry's own name for the brand. */
  readonly brandCarrierRef: string;
  readonly useCase: string;
  readonly description: string;
  readonly sampleMessages: readonly string[];
  readonly optInDescription: string;
};

/** What the carriers let a campaign send. */
export type Throughput = { readonly messagesPerMinute: number; readonly dailyCap: number };

export type BrandReview =
  | { readonly status: 'pending' | 'approved' }
  | { readonly status: 'rejected'; readonly reason: string };

export type CampaignReview =
  | { readonly status: 'pending' }
  | { readonly status: 'approved'; readonly throughput: Throughput }
  | { readonly status: 'rejected' | 'suspended'; readonly reason: string };

export type Registered = { readonly carrierRef: string };

/** A number and the campaign it sends under; both in the carrier's own names beside Dialplane's. */
export type NumberAssignment = {
  readonly phoneNumber: string;
  readonly campaignRef: string;
  readonly campaignCarrierRef: string;
};

export type RegistryPort = {
  /** Idempotent by `ref` where the registry allows it; otherwise an unclear answer is `unknown`. */
  createBrand(ledger: Ledger, brand: BrandRegistration): Promise<Outcome<Registered>>;
  findBrand(ledger: Ledger, ref: string): Promise<Found<Registered & { readonly review: BrandReview }>>;
  createCampaign(ledger: Ledger, campaign: CampaignRegistration): Promise<Outcome<Registered>>;
  findCampaign(ledger: Ledger, ref: string): Promise<Found<Registered & { readonly review: CampaignReview }>>;
  /** Ends a campaign for good. One that has ended is `accepted`. */
  endCampaign(ledger: Ledger, campaign: { ref: string; carrierRef: string }): Promise<Outcome<object>>;
  /** Idempotent; takes the place of an earlier assignment of the number, unless the campaign will not have it. */
  assignNumber(ledger: Ledger, assignment: NumberAssignment): Promise<Outcome<object, 'assign_failed'>>;
  /** A number that has no campaign, or that the carrier no longer has, is `accepted`. */
  unassignNumber(ledger: Ledger, phoneNumber: string): Promise<Outcome<object>>;
};

/** Where help is sent to. The fields are those of the API. */
export type EmergencyAddress = {
  readonly street: string;
  readonly unit: string | null;
  readonly city: string;
  /** Two letters. */
  readonly state: string;
  /** ZIP or ZIP+4. */
  readonly postal_code: string;
};

/** What is wrong with an address to which help cannot be sent. */
export const ADDRESS_FAULTS = ['address_not_found', 'state_mismatch', 'house_number_missing'] as const;
export type AddressFault = (typeof ADDRESS_FAULTS)[number];

export type AddressRegistration = { readonly ref: string; readonly address: EmergencyAddress };

export type E911Port = {
  /** Validates the dispatchable location and keeps it. Idempotent by `ref`; an unclear answer is `unknown`. */
  registerAddress(
    ledger: Ledger,
    registration: AddressRegistration,
  ): Promise<Outcome<Registered, AddressFault, { readonly suggestions: readonly EmergencyAddress[] }>>;
  findAddress(ledger: Ledger, ref: string): Promise<Found<Registered>>;
  /** Removing an address that is already gone is `accepted`. */
  removeAddress(ledger: Ledger, address: { ref: string; carrierRef: string }): Promise<Outcome<object>>;
  /**
   * Registers a number at an address, in place of any other, or with null at none. Idempotent. A number that is
   * released takes its registration with it.
   */
  assignAddress(
    ledger: Ledger,
    assignment: { phoneNumber: string; carrierRef: string | null },
  ): Promise<Outcome<object>>;
};

/**
 * Whether a number can come over; `reason` is a sentence for people, null where it can. Numbers with the same
 * `losing_carrier`, whatever it is called, can be in one port-in; null where that cannot be told.
 */
export type Portability = {
  readonly phone_number: string;
  readonly portable: boolean;
  readonly reason: string | null;
  readonly losing_carrier: string | null;
};

/** A request to take numbers over. Submitted again after a correction it has the same `ref` and the next `attempt`. */
export type PortInOrder = {
  readonly ref: string;
  /** 1 for the first submission. */
  readonly attempt: number;
  readonly submittedAt: Date;
  readonly phoneNumbers: readonly string[];
  readonly entityName: string;
  readonly authorizedPerson: string;
  readonly billingPhoneNumber: string;
  readonly accountNumber: string;
  readonly pin: string | null;
  readonly serviceAddress: Omit<EmergencyAddress, 'unit'>;
};

export type PortedNumber = OrderedNumber & { readonly phoneNumber: string };

/** What has become of a submission. `detail` is a sentence for people. */
export type PortInReport =
  | { readonly status: 'action_needed' | 'cancelled'; readonly detail: string | null }
  | { readonly status: 'foc_confirmed'; readonly detail: string | null; readonly focDate: Date }
  | { readonly status: 'completed'; readonly detail: string | null; readonly numbers: readonly PortedNumber[] };

export type PortingPort = {
  /** One verdict for each number, in the order given, without any effect. Throws carrier_unavailable (ApiError). */
  checkPortability(ledger: Ledger, phoneNumbers: readonly string[]): Promise<readonly Portability[]>;
  /** Idempotent by `ref` and `attempt`; an unclear answer is `unknown`. `reason` is a sentence for people. */
  submitPortIn(ledger: Ledger, order: PortInOrder): Promise<Outcome<object>>;
  findPortIn(ledger: Ledger, submission: { ref: string; attempt: number }): Promise<Found<object>>;
  /** Cancelling what is cancelled, or was never submitted, is `accepted`. */
  cancelPortIn(ledger: Ledger, ref: string): Promise<Outcome<object, 'too_late'>>;
};

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
