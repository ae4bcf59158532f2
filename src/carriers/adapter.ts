/** An adapter describes, opens and checks one kind of carrier, and takes its reports. */
import type { Logger } from 'pino';
import type { Database, Db } from '../db/database.ts';
import type { RoutePlugin } from '../http/edge/types.ts';
import type { Metrics } from '../lib/metrics.ts';
import type { Ledger, Scope } from '../lib/scope.ts';
import type { JobHandler } from '../queue/jobs/job.ts';
import type { LaneHandler } from '../queue/lanes/lane.ts';
import type { Sweep } from '../queue/worker/sweep.ts';
import type { SpeechToText, Summarizer, Synthesizer } from '../speech/port.ts';
import type { Alarms } from './connections/alarms.ts';
import type {
  Carrier,
  CarrierEvent,
  CarrierEventSink,
  DeclaredCapability,
  ListedTelephone,
  TakeEvents,
  Telephone,
} from './ports/carrier.ts';
import type { WebClientCopies } from './ports/web-client.ts';

/** A setting or credential of a connection, as the operator gives it. */
export type ConnectionField = {
  readonly name: string;
  readonly isRequired: boolean;
  /** A sentence about the field, for errors about it. */
  readonly description: string;
};

/** The description of a kind of carrier that the operator's commands need. */
type AdapterDescription = {
  readonly kind: string;
  readonly capabilities: readonly DeclaredCapability[];
  readonly settings: readonly ConnectionField[];
  readonly credentials: readonly ConnectionField[];
  /**
   * Called before a connection is added. Throws an Error that names the problem with the values. The Error contains no
   * credential.
   */
  readonly validate?: (given: Pick<Connection, 'settings' | 'credentials'>) => void;
};

/** A connection with its credentials decrypted. Logs and replies never contain them. */
export type Connection = {
  readonly id: string;
  readonly name: string;
  readonly settings: Readonly<Record<string, string>>;
  readonly credentials: Readonly<Record<string, string>>;
};

/** The result of checking a connection. `advice` is the next step. */
export type ConnectionFinding = {
  readonly check: string;
  readonly state: 'good' | 'note' | 'bad';
  readonly found: string;
  readonly advice?: string;
};

/** A notice of the carrier: one thing that it reported. */
export type Notice = {
  /** The carrier's id of the notice, at most 200 characters. A repeated notice has the same id. */
  readonly id: string;
  /**
   * The object of the notice, such as a call. Notices with the same key are passed on in the order of their arrival.
   */
  readonly key: string;
  /** The carrier's name for this kind of notice, shown to the operator. */
  readonly type: string;
  readonly body: unknown;
};

/** A request of the carrier to `POST /carrier/{kind}/{connection_id}` or below it. */
export type CarrierRequest = {
  /** The path after the id of the connection, with a slash in front. Empty if there is none. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: Buffer;
  readonly now: Date;
};

/**
 * The result of translating a notice.
 * - events: the domain takes them, all in the transaction that removes the notice from the inbox. With `waitsForCall`
 *   the notice waits while the call of its event is unknown.
 * - wait: the object of the notice is not known yet. The notice is tried again for up to 60 s, and then dropped.
 * - ignored: an unknown kind of notice, or one without a meaning here. It is kept and counted.
 * - foreign: its number, text or call does not belong to the connection that it arrived on. It is kept, counted and
 *   logged.
 */
export type Translation =
  | {
      readonly is: 'events';
      readonly ledger: Ledger;
      readonly events: readonly CarrierEvent[];
      readonly waitsForCall?: boolean;
    }
  | { readonly is: 'wait' }
  | { readonly is: 'ignored' }
  | { readonly is: 'foreign' };

/** How a connection takes the reports of its carrier. */
export type Ingress = {
  /** Returns the notices in a request, or why it is refused: the carrier did not send it, or sent it too long ago. */
  read(request: CarrierRequest): readonly Notice[] | 'wrong_signature' | 'wrong_time' | 'malformed';
  /** Finds the object of a notice, and returns the translation. */
  translate(db: Db, notice: Notice): Promise<Translation>;
  /**
   * Returns the ledger that has the object of a notice; undefined if this database has none. Changes nothing and sends
   * the carrier nothing. If it is absent and several databases have the connection, one database gets all notices, and
   * passes on those of the others.
   */
  ownerOf?(db: Db, notice: Notice): Promise<Pick<Ledger, 'ledgerId'> | undefined>;
  /**
   * Returns a sound (WAV) that the carrier fetches; undefined if there is none. `path` follows the address of the
   * carrier's reports. The path is the only protection of the sound, so it must be impossible to guess.
   */
  readSound?(path: string): Promise<Uint8Array | undefined>;
  /** For how many seconds the carrier may reuse a fetched sound. If absent, it must fetch the sound each time. */
  readonly soundMaxAgeS?: number;
};

/** An open connection. */
export type ConnectedCarrier = {
  readonly carrier: Carrier;
  /** Asks the carrier whether the connection works. Changes nothing there. */
  check(): Promise<readonly ConnectionFinding[]>;
  /** Makes the missing resources of the account that the connection needs. Returns what it did. */
  setup(): Promise<readonly string[]>;
  /** Opens resources that the carrier's reports need, such as a socket. Called once in each process with workers. */
  start?(): Promise<void>;
  close?(): Promise<void>;
  readonly ingress?: Ingress;
  /** Returns true if the tenant has the telephone. Absent if no telephones register at the carrier. */
  hasTelephone?(telephone: Telephone): boolean;
  /** Returns the telephones of the connection. Absent if no telephones register at the carrier. */
  listTelephones?(): Promise<readonly ListedTelephone[]>;
  /** The copies of web clients' legs. Only for a network that makes the sounds of calls itself. */
  readonly webClientCopies?: WebClientCopies;
  /**
   * The services of a network that speaks, transcribes and summarizes itself. If absent, the operator's services are
   * used.
   */
  readonly speech?: OwnSpeech;
};

/** The speech services of a network. */
export type OwnSpeech = {
  readonly toText: SpeechToText;
  readonly summarizer: Summarizer;
  readonly voice: Synthesizer;
};

/** An adapter in a running product. Its jobs, lanes and sweeps serve all its connections. */
export type Adapter = {
  connect(connection: Connection): ConnectedCarrier;
  readonly jobs?: readonly JobHandler[];
  readonly lanes?: readonly LaneHandler[];
  readonly sweeps?: readonly Sweep[];
  /** Returns operations of the API, such as those under /v1/test. */
  routes?(controls: LedgerControls): readonly RoutePlugin[];
};

/** The controls of a test ledger. They are for an adapter whose network has a clock that callers move. */
export type LedgerControls = {
  /** Moves a ledger's clock forward. Resolves with its new time when all work that became due has run. */
  advance(ledgerId: number, advanceMs: number): Promise<Date>;
  /** Empties a ledger. Resolves with its new time. */
  reset(scope: Scope): Promise<Date>;
};

/** Reads the telephones of a connection, even if the connection is not open. */
type TelephoneSettings = {
  /** Throws an Error that names the setting if the settings cannot be read. */
  list(db: Db, connection: Pick<Connection, 'id' | 'settings'>): Promise<readonly ListedTelephone[]>;
};

/** A kind of carrier that this program has an adapter for. */
export type AdapterKind = {
  readonly description: AdapterDescription;
  /** The telephones in the settings of a connection. Absent if no telephones register at the carrier. */
  readonly telephones?: TelephoneSettings;
  make(parts: AdapterParts): Adapter;
};

/** The parts of the product that adapters need. */
export type AdapterParts = {
  readonly db: Database;
  readonly log: Logger;
  readonly metrics: Pick<Metrics, 'carrierAccountRefusals' | 'carrierNotices' | 'sipEngineHeard' | 'sipTrunkUp'>;
  /** Alarms the operator about errors at the carrier that only the operator can correct. */
  readonly alarms: Alarms;
  /** Takes events in a separate transaction. */
  readonly sink: CarrierEventSink;
  /** Takes events in the caller's transaction. */
  readonly takeEvents: TakeEvents;
  /**
   * Speaks the texts that the adapter plays to parties. On live calls a voice server or a program speaks; it never
   * plays tones.
   */
  readonly synthesizer: Synthesizer;
  /** Returns the hold audio of a number by its reference (`audioRef`): mu-law, 8 kHz; undefined if it was deleted. */
  readonly readHoldAudio: (audioRef: string) => Promise<Uint8Array | undefined>;
};
