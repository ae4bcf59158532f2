/** The sockets with carriers' audio, as they are stored in the database. */
import type { Context } from '../../context.ts';
import { findLedger } from '../../db/ledgers.ts';
import { claimAudio, endAudio, reportFinding } from '../../domain/voice/index.ts';
import type { IngestDirectory } from '../../gateway/media/types.ts';

export function createIngestDirectory(context: Context): IngestDirectory {
  const { db, carriers } = context;
  return {
    claim: async (name, token, nodeId) => {
      const { callId, legId, track } = name;
      const claimed = await claimAudio(context, { callId, legId, token, nodeId });
      if (typeof claimed === 'string') return { ok: false, refused: claimed };
      const { ledgerId, connection_id: connectionId, party } = claimed;
      const { detects, isForDetectorAlone } = claimed;
      const ledger = await findLedger(db, ledgerId);
      const dialectOf = ledger && carriers.voice(ledger, connectionId).audio?.dialect;
      if (dialectOf === undefined) return { ok: false, refused: 'no_stream' };
      return {
        ok: true,
        grant: {
          ...{ call: { ledgerId, callId }, dialect: dialectOf(track), party },
          ...(detects && { detects, isForDetectorAlone }),
        },
      };
    },
    found: async ({ ledgerId, callId }, legRef, finding) => {
      const ledger = await findLedger(db, ledgerId);
      if (ledger !== undefined) await reportFinding(context, ledger, { callRef: callId, legRef }, finding);
    },
    closed: (call, nodeId, how, agentLegId) => endAudio(db, { ...call, nodeId, agentLegId }, how),
  };
}
