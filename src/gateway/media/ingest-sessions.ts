import type { Logger } from 'pino';
import { type CarrierPush, openCarrierPush } from './carrier-push.ts';
import { CLOSE, REFUSED, refuse } from './close-codes.ts';
import type { Visit } from './gateway.ts';
import type { Reports } from './reports.ts';
import type { CallAudioLease, CallAudios, IngestDirectory, IngestGrant } from './types.ts';

export type IngestSessionsOptions = {
  readonly nodeId: string;
  readonly directory: IngestDirectory;
  readonly audios: CallAudios;
  readonly reports: Reports;
  readonly log: Logger;
};

/** The carriers' media sockets on this node. */
export type IngestSessions = {
  /** Claims the socket with the carrier's token and joins it to its call, or closes with the code that says why not. */
  admit(visit: Visit): Promise<void>;
  closeAll(): void;
  open(): CarrierPush[];
  readonly size: number;
};

export function createIngestSessions(options: IngestSessionsOptions): IngestSessions {
  const { nodeId, directory, audios, reports, log } = options;
  const pushes = new Set<CarrierPush>();

  const finish = (streamId: string, how: 'ended' | 'lost') =>
    reports.send('the end of a carrier socket', () => directory.closed(streamId, how));

  const connect = ({ webSocket, connection, streamId }: Visit, grant: IngestGrant, lease: CallAudioLease) => {
    const { audio } = lease;
    let push: CarrierPush | undefined;
    const onEnd = (how: 'ended' | 'lost') => {
      if (push !== undefined) pushes.delete(push);
      push = undefined;
      // Without its carrier there is nothing to hear in the call.
      if (how === 'lost') audio.close('carrier_error');
      lease.release();
      finish(streamId, how);
    };
    const opened = openCarrierPush({ webSocket, connection, grant, audio, onEnd });
    if (webSocket.readyState !== webSocket.OPEN) return;
    push = opened;
    pushes.add(opened);
  };

  return {
    admit: async (visit) => {
      const { streamId, token, webSocket } = visit;
      const claim = await directory.claim(streamId, token, nodeId);
      if (!claim.ok) return refuse(webSocket, REFUSED[claim.refused]);
      try {
        connect(visit, claim.grant, await audios.acquire(claim.grant.call));
      } catch (error) {
        log.error({ err: error, stream_id: streamId }, 'carrier socket could not begin');
        refuse(webSocket, CLOSE.fault);
        finish(streamId, 'lost');
      }
    },
    closeAll: () => {
      for (const push of [...pushes]) push.close(CLOSE.restart);
    },
    open: () => [...pushes],
    get size() {
      return pushes.size;
    },
  };
}
