/** The data of the emulated account. All of it is in memory and ends with the process. */

import { time } from '../support/emulator-time.ts';
import { type AudioState, clearAudio, createAudioState } from './audio/audio-state.ts';
import { type CallsState, clearCalls, createCallsState } from './calls/calls-state.ts';
import type { AdditionalDocument, Document, PortingEvent, PortingOrder } from './porting-state.ts';
import type { Brand, Campaign, NumberCampaign, Otp } from './registry-state.ts';

export type PortOutStatus = 'pending' | 'authorized' | 'ported' | 'rejected' | 'rejected-pending' | 'canceled';

/** A request of another carrier, as lists show it. */
type PortOutRequest = {
  readonly record_type: 'portout';
  readonly id: string;
  status: PortOutStatus;
  readonly phone_numbers: readonly string[];
  readonly carrier_name: string;
  reason: string | null;
  readonly inserted_at: string;
  updated_at: string;
};

export type Profile = {
  readonly record_type: 'messaging_profile';
  readonly id: string;
  name: string;
  enabled: boolean;
  whitelisted_destinations: readonly string[];
  webhook_url: string | null;
  webhook_failover_url: string | null;
  readonly created_at: string;
  updated_at: string;
};

export type NumberStatus =
  | 'purchase-pending'
  | 'port-pending'
  | 'active'
  | 'deleted'
  | 'ported-out'
  | 'port-out-pending';

export type OwnedNumber = {
  readonly record_type: 'phone_number';
  readonly id: string;
  readonly phone_number: string;
  readonly country_iso_alpha2: 'US';
  readonly phone_number_type: 'local' | 'toll_free';
  status: NumberStatus;
  connection_id: string | null;
  customer_reference: string | null;
  tags: readonly string[];
  messaging_profile_id: string | null;
  emergency_enabled: boolean;
  emergency_status: string;
  emergency_address_id: string | null;
  deletion_lock_enabled: boolean;
  readonly purchased_at: string;
  updated_at: string;
};

/** Telnyx's pages also name `cancelled` and `deleted`, which its types do not have. */
export type OrderStatus = 'pending' | 'success' | 'failure' | 'cancelled' | 'deleted';

export type NumberOrder = {
  readonly record_type: 'number_order';
  readonly id: string;
  readonly phone_numbers_count: number;
  phone_numbers: readonly {
    readonly record_type: 'number_order_phone_number';
    readonly id: string;
    readonly phone_number: string;
    readonly phone_number_type: string;
    readonly country_code: 'US';
    readonly status: OrderStatus;
    readonly requirements_met: boolean;
  }[];
  readonly connection_id: string | null;
  readonly messaging_profile_id: string | null;
  readonly customer_reference: string | null;
  status: OrderStatus;
  readonly requirements_met: boolean;
  readonly created_at: string;
  updated_at: string;
};

export type MessageError = { readonly code: string; readonly title: string; readonly detail: string };

export type MessageStatus =
  | 'queued'
  | 'sent'
  | 'delivered'
  | 'expired'
  | 'sending_failed'
  | 'delivery_failed'
  | 'delivery_unconfirmed'
  | 'failed'
  | 'gw_timeout'
  | 'dlr_timeout';

type Money = { readonly amount: string; readonly currency: 'USD' };

/** A text from the account to a person, as the API and the webhooks show it. */
export type OutboundMessage = {
  readonly record_type: 'message';
  readonly direction: 'outbound';
  readonly id: string;
  readonly type: 'SMS' | 'MMS';
  readonly messaging_profile_id: string;
  readonly organization_id: string;
  readonly from: { readonly phone_number: string; readonly carrier: string; readonly line_type: 'VoIP' };
  to: readonly [
    {
      readonly phone_number: string;
      readonly status: MessageStatus;
      readonly carrier: string;
      readonly line_type: 'Wireless';
    },
  ];
  readonly cc: readonly [];
  readonly text: string;
  readonly subject: string | null;
  readonly media: readonly { readonly url: string; readonly content_type: null; readonly sha256: null }[];
  readonly webhook_url: string | null;
  readonly webhook_failover_url: string | null;
  readonly encoding: 'GSM-7' | 'UCS-2';
  readonly parts: number;
  readonly tags: readonly string[];
  cost: Money | null;
  readonly received_at: string;
  sent_at: string | null;
  completed_at: string | null;
  readonly valid_until: string;
  errors: readonly MessageError[];
};

/** A block that a person set up by STOP. `from` is the sender that is blocked, `to` the person. */
export type Optout = {
  readonly messaging_profile_id: string;
  readonly from: string;
  readonly to: string;
  readonly keyword: string;
  readonly created_at: string;
};

/** A text that a handset has. */
export type HandsetText = {
  readonly from: string;
  readonly text: string;
  readonly media_urls: readonly string[];
  /** The id of the account's message; null for a text of Telnyx itself, such as the answer to STOP. */
  readonly message_id: string | null;
  readonly at: string;
};

/** A place as a request names it. */
export type Place = {
  readonly street_address: string;
  readonly extended_address?: string;
  readonly locality: string;
  readonly administrative_area?: string;
  readonly postal_code?: string;
  readonly country_code: string;
};

export type Address = Place & {
  readonly record_type: 'address';
  readonly id: string;
  readonly customer_reference: string | null;
  readonly business_name: string;
  readonly first_name: string;
  readonly last_name: string;
  readonly created_at: string;
  readonly updated_at: string;
};

/** A file that a person attached. */
type Media = { readonly contentType: string; readonly content: Uint8Array; readonly expiresAtMs: number };

export type State = {
  readonly profiles: Map<string, Profile>;
  /** By phone number. Released numbers stay, so that they are not sold again. */
  readonly numbers: Map<string, OwnedNumber>;
  /** The phone numbers that a search has offered. */
  readonly offered: Set<string>;
  readonly orders: Map<string, NumberOrder>;
  /** True: an order stays pending until a control completes it. */
  ordersPend: boolean;
  readonly messages: Map<string, OutboundMessage>;
  /** By profile and person. */
  readonly optouts: Map<string, Optout>;
  /** By phone number. */
  readonly handsets: Map<string, HandsetText[]>;
  readonly media: Map<string, Media>;
  readonly addresses: Map<string, Address>;
  /** True: a number that is being added to an address or removed from it stays so until a control changes this. */
  emergencyPends: boolean;
  readonly brands: Map<string, Brand>;
  /** The newest code of each brand. */
  readonly otps: Map<string, Otp>;
  /** True: codes do not reach the phones of sole proprietors. */
  codesFail: boolean;
  readonly campaigns: Map<string, Campaign>;
  /** By phone number. */
  readonly numberCampaigns: Map<string, NumberCampaign>;
  /** True: only controls decide about brands and campaigns. */
  reviewsPend: boolean;
  /** True: assignments of numbers are pending until a control ends them. */
  assignmentsPend: boolean;
  /** The requests of other carriers for numbers, oldest first. */
  readonly portOuts: Map<string, PortOutRequest>;
  readonly portingOrders: Map<string, PortingOrder>;
  readonly portingEvents: Map<string, PortingEvent>;
  readonly documents: Map<string, Document>;
  readonly additionalDocuments: Map<string, AdditionalDocument>;
  /** True: only controls change the status of ports. */
  portsPend: boolean;
  readonly calls: CallsState;
  readonly audio: AudioState;
  /** In USD. */
  balance: number;
  /** The error that refuses every POST because of the account's state; null while the account is in order. */
  accountError: string | null;
  nextId: number;
};

const USUAL_BALANCE = 100;

export function createState(): State {
  return {
    profiles: new Map(),
    numbers: new Map(),
    offered: new Set(),
    orders: new Map(),
    ordersPend: false,
    messages: new Map(),
    optouts: new Map(),
    handsets: new Map(),
    media: new Map(),
    addresses: new Map(),
    emergencyPends: false,
    brands: new Map(),
    otps: new Map(),
    codesFail: false,
    campaigns: new Map(),
    numberCampaigns: new Map(),
    reviewsPend: false,
    assignmentsPend: false,
    portOuts: new Map(),
    portingOrders: new Map(),
    portingEvents: new Map(),
    documents: new Map(),
    additionalDocuments: new Map(),
    portsPend: false,
    calls: createCallsState(),
    audio: createAudioState(),
    balance: USUAL_BALANCE,
    accountError: null,
    nextId: 1,
  };
}

/** Empties the account. New ids continue the sequence, so that none is used twice. */
export function clearState(state: State): void {
  for (const part of Object.values(state)) if (part instanceof Map || part instanceof Set) part.clear();
  state.ordersPend = false;
  state.emergencyPends = false;
  state.reviewsPend = false;
  state.assignmentsPend = false;
  state.portsPend = false;
  clearCalls(state.calls);
  clearAudio(state.audio);
  state.balance = USUAL_BALANCE;
  state.accountError = null;
  state.codesFail = false;
}

/** Returns the time as Telnyx writes it. */
export function nowText(): string {
  return new Date(time.now()).toISOString();
}

/** Returns an id of the kind that numbers have: decimal digits. */
export function nextNumericId(state: State): string {
  return String(2_600_000_000_000_000 + state.nextId++);
}

/** Returns a number that the account has now. */
export function findOwned(state: State, phoneNumber: string): OwnedNumber | undefined {
  const owned = state.numbers.get(phoneNumber);
  return owned?.status === 'active' || owned?.status === 'port-out-pending' ? owned : undefined;
}

export function optoutKey(profileId: string, person: string): string {
  return `${profileId} ${person}`;
}
