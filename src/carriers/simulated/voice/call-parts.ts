/** The parts of the ports, the routes and the worker of simulated calls. */

import type { Database, Db, Tx } from '../../../db/database.ts';
import type { Ledger } from '../../../lib/scope.ts';
import type { TSchema } from '../../../lib/type.ts';
import type { Job } from '../../../queue/jobs/job.ts';
import type { EmergencyAddress } from '../../ports/e911.ts';
import type { SimulatedRequest, WebClientCopies, WebClientLegIds } from '../../ports/web-client.ts';
import type { CallInput, CallRefusal, Step } from './call.ts';

/** A row that belongs to a tenant. */
type Owned = { readonly tenant_id: string };
type ShownCall = Owned & { readonly direction: 'inbound' | 'outbound'; readonly status: string };

/** The functions that simulated calls need from the domain. */
export type CallDomain = {
  /** The API's schema of a call. */
  readonly Call: TSchema;
  /** Returns a call as the API shows it. */
  findCall(db: Db, ledger: Ledger, callId: string): Promise<ShownCall | undefined>;
  /** True while the carrier has not taken all commands of the call. */
  hasWaitingCommands(db: Db, ledger: Ledger, callId: string): Promise<boolean>;
  /** True while the targets of a call ring and no voicemail follows. */
  isWithoutVoicemail(db: Db, ledger: Ledger, callId: string): Promise<boolean>;
  /** Returns the gateway node of a call's audio; undefined if no node can take it. */
  chooseNode(tx: Tx, ledger: Ledger, call: { readonly callId: string }): Promise<string | undefined>;
  /** Returns the tenant's number with these digits (E.164), unless it is released. */
  findOwnedNumber(tx: Tx, ledger: Ledger, phoneNumber: string): Promise<Owned | undefined>;
  findE911Address(tx: Tx, ledger: Ledger, addressId: string): Promise<EmergencyAddress | undefined>;
  /** Acts as the person at a web client. The simulated copy changes too. */
  actAtWebClient(tx: Tx, ledger: Ledger, act: WebClientAct): Promise<void>;
};

/** An action of the person at a web client, chosen by a test. */
type WebClientAct = {
  readonly leg: WebClientLegIds;
  readonly request: SimulatedRequest;
  readonly copies: WebClientCopies;
};

type CallRequest = {
  readonly ledger: Ledger;
  readonly callRef: string;
  readonly input: CallInput;
  /** A repeated command has no effect. */
  readonly commandRef?: string | undefined;
  /** The job of a scheduled action. The transaction that stores the action's effects completes it. */
  readonly job?: Job;
};

export type CallExecutor = {
  /** Applies an input to a call. If the input is refused, nothing changes, and the promise resolves with the reason. */
  execute(tx: Tx, request: CallRequest): Promise<CallRefusal | undefined>;
  /** Adds a call. */
  begin(tx: Tx, ledger: Ledger, made: Step): Promise<void>;
};

/** The parts of the ports, the routes and the worker of simulated calls. */
export type CallParts = {
  readonly db: Database;
  readonly executor: CallExecutor;
  readonly domain: CallDomain;
  /** The time that a text takes to speak, in milliseconds. */
  readonly speechMs: (text: string) => Promise<number>;
};
