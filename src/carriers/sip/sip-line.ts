/** State that the parts of one connection's voice port share. */
import type { Logger } from 'pino';
import type { Database } from '../../db/database.ts';
import type { Ledger } from '../../lib/scope.ts';
import type { Synthesizer } from '../../speech/port.ts';
import type { AdapterParts } from '../adapter.ts';
import type { Book } from '../book/book.ts';
import { ACCEPTED, LEG_GONE, NOT_SUPPORTED, type VoiceOutcome } from '../call-control/verbs.ts';
import type { CarrierEventSink, TakeEvents } from '../ports/carrier.ts';
import { type AriAnswer, type EngineClient, isMissing, outcomeOf } from './ari-client.ts';
import type { SipSettings } from './config/settings.ts';
import type { SipLeg } from './leg-queries.ts';

export type SipLine = {
  readonly db: Database;
  readonly log: Logger;
  readonly metrics: AdapterParts['metrics'];
  readonly alarms: AdapterParts['alarms'];
  readonly book: Book;
  readonly connectionId: string;
  readonly settings: SipSettings;
  /** The engines by their names in the settings. */
  readonly engines: ReadonlyMap<string, EngineClient>;
  readonly sink: CarrierEventSink;
  /** Receives events in the caller's transaction. */
  readonly takeEvents: TakeEvents;
  readonly synthesizer: Synthesizer;
  /** Returns hold audio (mu-law, 8 kHz); undefined if it was deleted. */
  readonly readHoldAudio: (audioRef: string) => Promise<Uint8Array | undefined>;
};

/** One command while it is being carried out. */
export type Work = {
  readonly line: SipLine;
  readonly ledger: Ledger;
  readonly callRef: string;
  /** The name of the command: letters, digits and underscores. */
  readonly commandRef: string;
};

/** A leg that takes commands: it has a channel and has not ended. */
export type LiveLeg = SipLeg & { readonly channelId: string; readonly engine: string };

export function isLive(leg: SipLeg | undefined): leg is LiveLeg {
  return leg !== undefined && leg.channelId !== null && leg.engine !== null && leg.endedAt === null && !leg.isHungUp;
}

/** Returns the engine of a leg. Throws if the engine is no longer in the connection's settings. */
export function engineOf({ engines }: SipLine, { engine }: { readonly engine: string }): EngineClient {
  const client = engines.get(engine);
  if (client === undefined) throw new Error(`the connection has no engine with the name ${engine}`);
  return client;
}

/** 409: an earlier attempt made the object, because the name is ours. */
export const DONE_BEFORE = 409;

/** Returns the outcome of a command to a leg. */
export function voiceOutcome(answer: AriAnswer): VoiceOutcome {
  if (answer.is === 'answered') return ACCEPTED;
  if (isMissing(answer)) return LEG_GONE;
  return answer.is === 'refused' ? NOT_SUPPORTED : outcomeOf(answer);
}
