/** A carrier as a whole: its capabilities, the events that it reports, and which carrier a ledger uses. */
import type { Database, Tx } from '../../db/database.ts';
import type { JoinedWrite } from '../../db/statement.ts';
import type { Ledger } from '../../lib/scope.ts';
import type { E911Port } from './e911.ts';
import type { CarrierMedia, MessagingPort, TextReceipt } from './messaging.ts';
import type { NumberReport, NumbersPort, PortOutReport } from './numbers.ts';
import type { AssignmentReport } from './outcome.ts';
import type { PortInReport, PortingPort } from './porting.ts';
import type { BrandReview, CampaignReview, RegistryPort } from './registry.ts';
import type { VoiceEvent, VoicePort } from './voice.ts';

export const CARRIER_CAPABILITIES = ['numbers', 'messaging', 'registry', 'e911', 'porting', 'voice'] as const;
export type CarrierCapability = (typeof CARRIER_CAPABILITIES)[number];

/**
 * What a kind of carrier declares: its capabilities, and features that only some carriers with calls have.
 * - recording_pause: it pauses and resumes a recording.
 * - agent_audio: the gateway receives the audio of an agent's telephone, and can play to it.
 * - machine_detection: the carrier, or the gateway from the call's audio, detects who answers a dialled call.
 */
export const DECLARED_CAPABILITIES = [
  ...CARRIER_CAPABILITIES,
  'recording_pause',
  'agent_audio',
  'machine_detection',
] as const;
export type DeclaredCapability = (typeof DECLARED_CAPABILITIES)[number];

type CarrierPorts = {
  readonly numbers: NumbersPort;
  readonly messaging: MessagingPort;
  readonly registry: RegistryPort;
  readonly e911: E911Port;
  readonly porting: PortingPort;
  readonly voice: VoicePort;
};

/** The capabilities of one carrier. A capability that it lacks is absent. */
export type Carrier = Partial<CarrierPorts> & {
  /** The kind of carrier, for metrics. */
  readonly name: string;
};

/** An event at a carrier. It may come late, twice or out of order. */
export type CarrierEvent =
  | VoiceEvent
  | NumberReport
  | PortOutReport
  | AssignmentReport
  | {
      readonly type: 'message.received';
      /** The carrier's id of the text. Two events with the same id are about one text. */
      readonly carrierMessageId: string;
      readonly from: string;
      readonly to: string;
      /** The other recipients, without `from` and `to`. If present, the text is a group text. */
      readonly otherRecipients?: readonly string[];
      readonly body: string;
      /** Public addresses of media. They are passed on unchanged. */
      readonly mediaUrls: readonly string[];
      /** Media that the product fetches from the carrier (`fetchMedia`) and stores. */
      readonly media?: readonly CarrierMedia[];
      /**
       * When the person sent the text, by the carrier's clock; now if absent. Of a STOP and a START the later one
       * counts.
       */
      readonly occurredAt?: Date;
      /** True if the carrier itself has replied to this STOP, START or HELP. The product then sends no confirmation. */
      readonly isConfirmed?: boolean;
    }
  | {
      /** The carrier blocks texts from a number to a person. The reason is a STOP, or one of the carrier. */
      readonly type: 'opt_out.reported';
      /** The number of the ledger, E.164. Its tenant may not text the person any more. */
      readonly phoneNumber: string;
      readonly externalNumber: string;
    }
  | ({ readonly type: 'message.receipt'; readonly ref: string } & TextReceipt)
  | { readonly type: 'brand.review'; readonly ref: string; readonly review: BrandReview }
  | { readonly type: 'campaign.review'; readonly ref: string; readonly review: CampaignReview }
  | {
      readonly type: 'port_in.report';
      readonly ref: string;
      /** Which submission the report is about. An adapter passes on the reports of one submission in order. */
      readonly attempt: number;
      readonly report: PortInReport;
    };

/**
 * Takes events from an adapter. Resolves when their effects are committed. Until then the adapter must keep the events,
 * and after a crash it must send them again.
 */
export type CarrierEventSink = (ledger: Ledger, events: readonly CarrierEvent[]) => Promise<void>;

/**
 * Takes events within the caller's transaction. For a carrier whose state is in the product's own database, so that its
 * state and the domain's state change together.
 */
export type TakeEvents = (tx: Tx, ledger: Ledger, events: readonly CarrierEvent[]) => Promise<void>;

/** One event of a notice, with the writes that complete the notice. */
export type CarrierReport = {
  readonly event: CarrierEvent;
  readonly joined: JoinedWrite;
  /** Wall time of the database when it stored the notice. Absent if the notice was stored earlier. */
  readonly at?: Date;
};

/**
 * Takes a report in as few statements as possible.
 * - unknown: the call of the event does not exist.
 * - needless: the event changes nothing, and nothing was written.
 * - declined: nothing was written; the caller must use `TakeEvents`.
 */
export type TakeReport = (
  db: Database,
  ledger: Ledger,
  report: CarrierReport,
) => Promise<'unknown' | 'needless' | 'declined' | { readonly joined: unknown }>;

/** The id of a carrier connection; null for the simulated network, which every test ledger is connected to. */
export type ConnectionId = string | null;

/** A telephone that registers at an engine: its tenant and its address (sip_phone:front). */
export type Telephone = { readonly tenantId: string; readonly address: string };

/** A telephone that registers at engines: its settings, and its state at each engine. */
export type ListedTelephone = {
  /** Null for a telephone without a tenant. Callers reach it by its number. */
  readonly name: string | null;
  readonly tenantId: string | null;
  /** The number that it calls from, E.164. */
  readonly number: string;
  readonly extensions: readonly { readonly digits: string; readonly to: string }[];
  readonly engines: readonly {
    readonly engine: string;
    /** unknown: no process is connected to the engine. */
    readonly registration: 'registered' | 'not_registered' | 'unknown';
    /** When this state was first seen; null if it is unknown. */
    readonly since: Date | null;
  }[];
};

type PortOfConnection<Port> = (ledger: Ledger, connection: ConnectionId) => Port;

/**
 * The carriers of this process.
 *
 * A new object gets the connection that `choose` returns, and keeps it. Later work on the object uses the port of that
 * connection.
 */
export type Carriers = {
  /**
   * Returns the connection for a new object: the account's default, or else the installation's default. Throws
   * carrier_unavailable (ApiError) if there is none, or if that connection takes no new objects.
   */
  choose(capability: CarrierCapability, ledger: Ledger): ConnectionId;
  /**
   * Checks that the connection of an existing object takes new objects, for example a new call of an existing number.
   * Throws carrier_unavailable (ApiError).
   */
  requireOpen(capability: CarrierCapability, ledger: Ledger, connection: ConnectionId): void;

  /** Returns true if the kind of the connection declares the capability. The simulated network has all of them. */
  declares(capability: DeclaredCapability, ledger: Ledger, connection: ConnectionId): boolean;

  /**
   * Returns true if the tenant has a telephone with the address (sip_phone:front) at an engine of the connection.
   * Without a connection it searches all connections that the account uses. The simulated network has every telephone.
   */
  hasTelephone(ledger: Ledger, telephone: Telephone, connection?: ConnectionId): boolean;

  /**
   * Returns the telephones at the engines of all connections that the account may use. They may belong to its tenants
   * or to others. The simulated network has no list.
   */
  listTelephones(ledger: Ledger): Promise<readonly ListedTelephone[]>;
} & {
  /**
   * Returns a capability of a connection. Throws carrier_unavailable (ApiError) if the connection is disabled or lacks
   * the capability.
   */
  [Capability in CarrierCapability]: PortOfConnection<CarrierPorts[Capability]>;
};
