// Made from openapi-operator.json by `npm run gen`. Edit the document, not this file.

export interface Account {
  id: string;
  object: 'account';
  name: string;
  /** Requests of a suspended account are refused. */
  status: 'active' | 'suspended';
  created_at: string;
}

export interface AccountCredit {
  object: 'account_credit';
  /** Id of the account (`acct_…`). */
  account_id: string;
  /** False if the reference was credited before: nothing is added. */
  is_credited: boolean;
  /** The balance after it. */
  balance_usd: string;
}

export interface AccountStanding {
  object: 'account_standing';
  /** Id of the account (`acct_…`). */
  account_id: string;
  name: string;
  status: 'active' | 'suspended';
  /** The money that is left; below zero if charges exceeded it. */
  balance_usd: string;
  /** Texts of the last 24 hours that failed; 1000 stands for more */
  failed_texts: number;
  /** Calls of the last 24 hours that failed; 1000 stands for more */
  failed_calls: number;
  /** Webhook endpoints that fail, or that were disabled for that, and that no operator has settled. */
  failing_endpoints: number;
  /** Calls to 911 in the last 24 hours that no operator has settled; 1000 stands for more */
  emergency_calls: number;
  /** Numbers that another carrier asks for, and that no operator has settled. */
  port_outs: number;
}

export interface CarrierConnection {
  id: string;
  object: 'carrier_connection';
  kind: string;
  name: string;
  /** The only account that may use it; null for all. */
  account_id: string | null;
  status: 'active' | 'draining' | 'disabled';
  /** Without credentials. */
  settings: Record<string, string>;
  /**
   * What its kind of carrier can be used for; recording_pause if it can pause a recording, agent_audio if a web client
   * can talk to the telephone of an agent, machine_detection if it tells who answers, or the gateway hears it; empty
   * if this version does not know the kind.
   */
  capabilities: ('numbers' | 'messaging' | 'registry' | 'e911' | 'porting' | 'voice' | 'recording_pause' | 'agent_audio' | 'machine_detection')[];
  used_for: ({
    capability: 'numbers' | 'messaging' | 'registry' | 'e911' | 'porting' | 'voice';
    /** Null: all accounts without one of their own. */
    account_id: string | null;
  })[];
  /** Errors which say that the account at the carrier does not allow requests. Each needs the operator. */
  alarms: ({
    capability: 'numbers' | 'messaging' | 'registry' | 'e911' | 'porting' | 'voice';
    /** The carrier's code of the error. */
    carrier_code: string;
    /** The carrier's title of the error. */
    title: string;
    since: string;
    last_at: string;
  })[];
  created_at: string;
}

export interface CarrierNotice {
  id: string;
  object: 'carrier_notice';
  /** The carrier's name of it. */
  type: string;
  about: string;
  /** ignored: it has no effect here; dropped: its object never became known. */
  state: 'waiting' | 'done' | 'ignored' | 'dropped';
  received_at: string;
}

export interface CarrierRequest {
  id: string;
  object: 'carrier_request';
  operation: string;
  ref: string | null;
  outcome: 'accepted' | 'absent';
}

export interface CarrierRequestWithAttempts {
  id: string;
  object: 'carrier_request';
  operation: string;
  /** The resource that it is about. */
  ref: string;
  attempts: number;
  sent_at: string;
}

export interface ConnectionFinding {
  check: string;
  /** note: it works, and should be better. */
  state: 'good' | 'note' | 'bad';
  found: string;
  /** The next step. */
  advice: string | null;
}

export interface ConsoleSession {
  id: string;
  object: 'console_session';
  /**
   * The rights of the session. An `operator` may use every account, and sees the installation. `account` is a link for
   * one account: it belongs to no user and has the rights of an admin.
   */
  role: 'operator' | 'account' | 'admin' | 'support' | 'viewer';
  user: {
    id: string;
    email: string;
  } | null;
  /** Id of the account (`acct_…`). */
  account_id: string | null;
  created_at: string;
  expires_at: string;
  /** Exact to a minute. */
  last_seen_at: string;
  user_agent: string | null;
  /** True for the session that made this request. */
  is_current: boolean;
}

export interface ConsoleSessionWithVersion {
  id: string;
  object: 'console_session';
  /**
   * The rights of the session. An `operator` may use every account, and sees the installation. `account` is a link for
   * one account: it belongs to no user and has the rights of an admin.
   */
  role: 'operator' | 'account' | 'admin' | 'support' | 'viewer';
  user: {
    id: string;
    email: string;
  } | null;
  /** Id of the account (`acct_…`). */
  account_id: string | null;
  created_at: string;
  expires_at: string;
  /** Exact to a minute. */
  last_seen_at: string;
  user_agent: string | null;
  /** True for the session that made this request. */
  is_current: boolean;
  /** The version of the server. */
  version: string;
  default_account_id: string | null;
}

/** The body of `POST /console/api/accounts`. */
export interface CreateAccount {
  name: string;
}

/** The body of `POST /console/api/users`. */
export interface CreateUser {
  email: string;
  /**
   * An `operator` may use every account, and sees the installation. An `admin` does everything in one account;
   * `support` reads all of it and writes conversations, texts and calls; a `viewer` reads.
   */
  role: 'operator' | 'admin' | 'support' | 'viewer';
  /** Id of the account (`acct_…`). */
  account_id?: string | null | undefined;
}

/** The body of `POST /console/api/accounts/{account_id}/credit`. */
export interface CreditAccount {
  /** More than 0. */
  amount_usd: string;
  /** Identifies the payment, such as the number of a transfer: the same one is credited once. */
  reference: string;
}

export interface FailingEndpoint {
  id: string;
  object: 'failing_endpoint';
  /** Id of the account (`acct_…`). */
  account_id: string;
  account_name: string;
  mode: 'live' | 'test';
  url: string;
  /** The tenant whose events it gets. Null for the events of all tenants and of the account. */
  tenant_id: string | null;
  status: 'active' | 'disabled';
  disabled_reason: 'manual' | 'failing' | 'gone' | null;
  /** The first failure since the last delivery that it accepted. Null while it accepts deliveries. */
  failing_since: string | null;
}

export interface Job {
  id: string;
  object: 'job';
  /** Null for a job of the installation. */
  account_id: string | null;
  mode: 'live' | 'test' | null;
  queue: 'messaging' | 'voice' | 'audio' | 'default';
  kind: string;
  /** due: waits for a worker; failed: waits for its next attempt; waiting: is not due yet. */
  state: 'due' | 'running' | 'failed' | 'waiting';
  attempts: number;
  run_at: string;
  due_for_seconds: number;
}

export interface Notice {
  object: 'notice';
  /**
   * emergency_call: a call to 911 of the last 24 hours; port_out: a number that another carrier asks for;
   * failing_endpoint: a webhook endpoint that fails, or that was disabled for that; connection: an error which says
   * that the account at the carrier does not allow requests. Notices of accounts are of live mode.
   */
  kind: 'emergency_call' | 'port_out' | 'failing_endpoint' | 'connection';
  /** The id of the call, number, webhook endpoint or connection. */
  subject_id: string;
  /** Identifies the call, request or series of failures. A new one of the same subject is a new notice. */
  state: string;
  since: string | null;
  /** The calling number, the number, the URL or the name of the connection. */
  name: string;
  /**
   * The carrier that asks, the reason why the endpoint is disabled, or the error of the carrier; null if there is
   * none.
   */
  detail: string | null;
  /** Null for a connection of all accounts. */
  account_id: string | null;
  /** Null for a connection of all accounts. */
  account_name: string | null;
  /** Null until an operator settles the notice. Ends after 30 days. */
  settled: {
    /** The e-mail address of the user; 'operator' for a session that belongs to no user. */
    by: string;
    at: string;
  } | null;
}

export interface Queues {
  object: 'queues';
  jobs: ({
    queue: 'messaging' | 'voice' | 'audio' | 'default';
    kind: string;
    /** Wait for a worker. */
    due: number;
    /** Are being worked on. */
    running: number;
    /** Have failed and wait for their next attempt. */
    failed: number;
    /** Are due later. */
    waiting: number;
    /** How long the first has been due; 0 if none is. */
    oldest_due_seconds: number;
    /** True if there are more than the 10,000 that were counted. */
    is_partial: boolean;
  })[];
  /** Serial queues: one for each resource or call. Those of endpoints and campaigns that are paused are not counted. */
  lanes: {
    kind: string;
    /** Wait for a worker. */
    due: number;
    /** Are being worked on. */
    running: number;
    /** Have failed and wait for their next attempt. */
    failed: number;
    /** Are due later. */
    waiting: number;
    /** How long the first has been due; 0 if none is. */
    oldest_due_seconds: number;
    /** True if there are more than the 10,000 that were counted. */
    is_partial: boolean;
  }[];
  /** When the first counted hour began: 23 hours before the current hour. */
  attempts_since: string;
  /** The attempts of all processes since then, by kind of job or lane. Each process adds its own every 5 seconds. */
  attempts: {
    kind: string;
    /**
     * Attempts that succeeded or failed. One attempt may work on several jobs. Attempts that another worker took over
     * are not counted.
     */
    attempts: number;
    /** Attempts that failed, also because a carrier is not available. */
    failed_attempts: number;
  }[];
}

/** The body of `POST /console/api/connections/{connection_id}/reconcile`. */
export interface ReconcileConnection {
  request_id: string;
  /** accepted if the carrier has it, absent if not */
  outcome: 'accepted' | 'absent';
}

/** The body of `POST /console/api/settled_notices`. */
export interface SettleNotice {
  /** The kind of the notice. */
  kind: 'emergency_call' | 'port_out' | 'failing_endpoint' | 'connection';
  /** The `subject_id` of the notice. */
  subject_id: string;
  /** The `state` of the notice. */
  state: string;
}

/** The body of `POST /console/api/session`. */
export interface SignIn {
  /** What stands behind the # of the sign-in link. */
  token: string;
}

export interface SignInLink {
  object: 'sign_in_link';
  /** Anyone with this link can sign in as the user. Give it only to the user. */
  url: string;
  expires_at: string;
}

export interface SignInOptions {
  object: 'sign_in_options';
  /** The address of the console. It takes requests from pages at this origin only. */
  address: string;
  /** True if an identity provider signs people in. */
  has_provider: boolean;
  /** What an operator types before the name of a command, such as `dialplane` in the image. */
  program: string;
}

/** The body of `POST /console/api/speech`. */
export interface Speak {
  text: string | null;
  /** true: the announcement of a recording is spoken before the text */
  announces_recording?: boolean | undefined;
}

export interface Telephone {
  object: 'telephone';
  /** Null: it has no tenant and is called by its number. */
  name: string | null;
  /** The number that it calls from. */
  number: string;
  /** Null for a telephone without a tenant. */
  tenant: {
    id: string;
    /** Null if there is no such tenant in live mode. */
    name: string | null;
    /** Id of the account (`acct_…`). */
    account_id: string | null;
  } | null;
  extensions: {
    digits: string;
    to: string;
  }[];
  /** What each engine says. Updated every 10 seconds. */
  engines: ({
    engine: string;
    /** unknown: the engine does not answer. */
    registration: 'registered' | 'not_registered' | 'unknown';
    /** When this state was first seen. */
    since: string | null;
  })[];
}

/** The body of `PATCH /console/api/users/{user_id}`. */
export interface UpdateUser {
  /**
   * An `operator` may use every account, and sees the installation. An `admin` does everything in one account;
   * `support` reads all of it and writes conversations, texts and calls; a `viewer` reads.
   */
  role?: 'operator' | 'admin' | 'support' | 'viewer' | undefined;
  /** Id of the account (`acct_…`). */
  account_id?: string | null | undefined;
}

export interface User {
  id: string;
  object: 'user';
  email: string;
  /**
   * An `operator` may use every account, and sees the installation. An `admin` does everything in one account;
   * `support` reads all of it and writes conversations, texts and calls; a `viewer` reads.
   */
  role: 'operator' | 'admin' | 'support' | 'viewer';
  /** Id of the account (`acct_…`). */
  account_id: string | null;
  /** True if the identity provider gives the role at each sign-in. */
  is_by_claim: boolean;
  created_at: string;
  last_signed_in_at: string | null;
}
