/** Telnyx's reports. Verifies their sender, finds the object that they are about, and translates them. */
import { createHash, type KeyObject } from 'node:crypto';
import { parseObject, textAt, valueAt } from '../../../lib/json-object.ts';
import type { Ingress, Notice, Translation } from '../../adapter.ts';
import type { TelnyxLine } from '../client/line.ts';
import type { Recorder } from '../client/recorder.ts';
import { translateReceipt, translateText } from '../messaging/message-notices.ts';
import { PORT_OUT, splitPortOut, translatePortOut } from '../numbers/port-out-notices.ts';
import { translatePortIn } from '../porting/port-in-notices.ts';
import { nameFlatReport, translateRegistry } from '../registry/registry-notices.ts';
import { findOwner } from './owner.ts';
import { signatureProblem } from './signature.ts';

/** The type of a report that is not an event in Telnyx's own form. It is kept for the operator. */
const UNKNOWN = 'unknown';

/** The prefix of the types of reports about port-ins. */
const PORT_IN = 'porting_order.';

/** The most lookups at Telnyx that hints start concurrently. More would delay the reports of calls. */
const HINTS_MAX = 4;
const WAIT: Translation = { is: 'wait' };

type IngressOptions = {
  /** Reads the reports about calls, and the sounds that Telnyx plays on them. */
  readonly voice: VoiceReports;
  readonly line: TelnyxLine;
  readonly publicKey: KeyObject | undefined;
  readonly record?: Recorder | undefined;
};

/** The functions of the voice port that answer requests from Telnyx. */
export type VoiceReports = {
  isAboutCalls(type: string): boolean;
  translate(notice: Notice): Promise<Translation>;
  readSound(path: string): Promise<Uint8Array | undefined>;
};

export function createIngress({ line, publicKey, record, voice }: IngressOptions): Ingress {
  let hints = 0;
  /** Looks up the object of a report. If HINTS_MAX lookups are running, the report waits. */
  const look = async (translate: () => Promise<Translation>): Promise<Translation> => {
    if (hints >= HINTS_MAX) return WAIT;
    hints++;
    try {
      return await translate();
    } finally {
      hints--;
    }
  };
  return {
    read: (request) => {
      const problem = signatureProblem(publicKey, request);
      if (problem !== undefined) return problem;
      const report = parseObject(request.body.toString());
      if (report === undefined) return 'malformed';
      const notice = readNotice(report, request.body);
      record?.({ operation: `report ${notice.type}`, status: null, sent: null, received: report });
      return splitPortOut(notice);
    },
    readSound: voice.readSound,
    ownerOf: (db, notice) => findOwner(db, line.connectionId, notice),
    translate: (db, notice) => {
      const { type, body } = notice;
      if (voice.isAboutCalls(type)) return voice.translate(notice);
      if (type === PORT_OUT) return translatePortOut(line, body);
      const payload = valueAt(body, 'payload');
      if (type === 'message.sent' || type === 'message.finalized') return translateReceipt(line, db, payload);
      if (type === 'message.received') return translateText(db, line.connectionId, body);
      return look(() => {
        if (type.startsWith(PORT_IN)) return translatePortIn(line, payload);
        return translateRegistry(line, type, payload) ?? Promise.resolve<Translation>({ is: 'ignored' });
      });
    },
  };
}

function readNotice(report: Record<string, unknown>, bytes: Buffer): Notice {
  return readReport(report['data']) ?? readFlat(report, bytes);
}

/**
 * Reads the envelope of a report. A report about a text, or about a leg of a call, contains its id. Reports with the
 * same id are passed on in order.
 */
export function readReport(data: unknown): Notice | undefined {
  const [id, type, payload] = [textAt(data, 'id'), textAt(data, 'event_type'), valueAt(data, 'payload')];
  if (id === undefined || type === undefined) return undefined;
  const about = textAt(payload, 'id') ?? textAt(payload, 'call_leg_id') ?? nameFlatReport(payload)?.about;
  return { id, key: about ?? UNKNOWN, type, body: data };
}

/** Reads a report without an envelope and without an id. Reports of the registry and unknown reports have this form. */
function readFlat(report: Record<string, unknown>, bytes: Buffer): Notice {
  const id = createHash('sha256').update(bytes).digest('hex');
  const named = nameFlatReport(report);
  if (named === undefined) return { id, key: UNKNOWN, type: UNKNOWN, body: report };
  return { id, key: named.about, type: named.type, body: { payload: report } };
}
