/** Passes on the utterances of this node's calls, a bounded number at a time, and waits for them at the end. */
import type { Logger } from 'pino';
import type { Ledger } from '../../lib/scope.ts';
import type { AudioSink } from './types.ts';
import { createPartyCutter, createUtteranceCutter, type PartyCutter, type PartyUtterance } from './utterance-cutter.ts';

/**
 * The most waiting utterances, each with up to 20 s of audio. If the store or the database does not keep up, later
 * utterances are dropped.
 */
const PENDING_MAX = 200;

export type UtteranceReportsOptions = {
  readonly log: Logger;
  readonly nowMs: () => number;
  /** Stores an utterance. A failure is logged, and the utterance is missing in the transcript. */
  readonly keep: (ledger: Ledger, callId: string, utterance: PartyUtterance) => Promise<void>;
};

export type UtteranceReports = {
  /** Returns a sink for the audio of a call. */
  cutterOf(ledger: Ledger, callId: string): AudioSink;
  /** Returns a cutter for the utterances of a call's web client. */
  webClientCutterOf(ledger: Ledger, callId: string): PartyCutter;
  /** Resolves when every earlier utterance is stored or has failed. */
  settled(): Promise<void>;
};

export function createUtteranceReports({ log, nowMs, keep }: UtteranceReportsOptions): UtteranceReports {
  const pending = new Set<Promise<void>>();
  const report = (ledger: Ledger, callId: string, utterance: PartyUtterance) => {
    if (pending.size >= PENDING_MAX) {
      log.error({ call: callId }, 'too many utterances wait to be stored; dropped one, which the transcript will lack');
      return;
    }
    const kept = keep(ledger, callId, utterance)
      .catch((error: unknown) => {
        log.error({ err: error, call: callId }, 'an utterance could not be stored; the transcript will lack it');
      })
      .finally(() => pending.delete(kept));
    pending.add(kept);
  };
  const optionsOf = (ledger: Ledger, callId: string) => {
    return { nowMs, take: (utterance: PartyUtterance) => report(ledger, callId, utterance) };
  };
  return {
    cutterOf: (ledger, callId) => createUtteranceCutter(optionsOf(ledger, callId)),
    webClientCutterOf: (ledger, callId) => createPartyCutter('agent', optionsOf(ledger, callId)),
    settled: async () => {
      await Promise.all(pending);
    },
  };
}
