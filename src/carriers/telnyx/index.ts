/** The adapter of Telnyx: numbers, texts, calls, 10DLC registrations, emergency addresses and port-ins. */

import { withoutSlash } from '../../lib/http/without-slash.ts';
import { textAt } from '../../lib/json-object.ts';
import type {
  Adapter,
  AdapterKind,
  AdapterParts,
  ConnectedCarrier,
  Connection,
  ConnectionFinding,
} from '../adapter.ts';
import { openBook } from '../book/book.ts';
import { DECLARED_CAPABILITIES } from '../ports/carrier.ts';
import { createClient, type TelnyxClient } from './client/client.ts';
import type { TelnyxLine } from './client/line.ts';
import { createMediaFetcher } from './client/media.ts';
import { createRecorder } from './client/recorder.ts';
import { createMessaging } from './messaging/messaging.ts';
import { createE911 } from './numbers/e911.ts';
import { numberSweep } from './numbers/number-sweep.ts';
import { createNumbers } from './numbers/numbers.ts';
import { checkProfiles, setUpProfiles } from './numbers/profiles.ts';
import { createPorting } from './porting/porting.ts';
import { createRegistry } from './registry/registry.ts';
import { createIngress, type VoiceReports } from './reports/ingress.ts';
import { missedReportSweep } from './reports/missed-reports.ts';
import { readPublicKey } from './reports/signature.ts';
import { checkApplication, createApplicationFinder, setUpApplication } from './voice/application.ts';
import { isAboutCalls, translateCallNotice } from './voice/call-notices.ts';
import { createVoice } from './voice/index.ts';
import { readSound } from './voice/playback.ts';
import { callSweeps } from './voice/sweeps.ts';
import type { VoiceLine } from './voice/voice-line.ts';

const KIND = 'telnyx';
/** The business name that emergency services get for an address, unless the connection sets one. */
const BUSINESS = 'Business';
/** The branch of business of a brand in Telnyx's words, unless the connection sets one. */
const VERTICAL = 'PROFESSIONAL';
/** The operator is alerted below this balance. */
const BALANCE_LOW = 20;
/** The setting that chooses the detector of answering machines. */
const DETECTION = 'machine_detection';
const API_URL = 'https://api.telnyx.com/v2';

export const TELNYX_KIND: AdapterKind = {
  description: {
    kind: KIND,
    capabilities: DECLARED_CAPABILITIES,
    settings: [
      { name: 'public_url', isRequired: true, description: 'Where Telnyx reaches this installation, by https.' },
      {
        name: 'failover_url',
        isRequired: false,
        description: 'Where it reaches it if that fails; public_url by default.',
      },
      { name: 'brand_vertical', isRequired: false, description: 'The branch of business of all brands.' },
      { name: 'business_name', isRequired: false, description: 'The name that emergency services see.' },
      { name: 'transcription', isRequired: false, description: '"telnyx" lets Telnyx transcribe calls, at its price.' },
      {
        name: DETECTION,
        isRequired: false,
        description: '"telnyx" lets Telnyx detect answering machines, at its price; "gateway" by default.',
      },
      { name: 'record_to', isRequired: false, description: 'A folder for a record of the exchanges, without texts.' },
      { name: 'api_url', isRequired: false, description: `The address of the API; ${API_URL} by default.` },
    ],
    credentials: [
      { name: 'key', isRequired: true, description: 'The API key: Keys & Credentials in the Telnyx portal.' },
      { name: 'public_key', isRequired: true, description: 'The public key of reports, from the same page.' },
    ],
    validate: ({ settings }) => {
      const detector = settings[DETECTION];
      if (detector === undefined || detector === 'gateway' || detector === KIND) return;
      throw new Error(`${DETECTION} is "telnyx" or "gateway", not "${detector}".`);
    },
  },
  make: makeTelnyx,
};

type Parts = Pick<AdapterParts, 'db' | 'log' | 'metrics' | 'sink' | 'synthesizer' | 'readHoldAudio'>;

function makeTelnyx(parts: Parts): Adapter {
  const lines = new Map<string, VoiceLine>();
  return {
    connect: (connection) => connectTelnyx(parts, connection, lines),
    sweeps: [...callSweeps(parts, lines), numberSweep(parts, lines), missedReportSweep(parts, lines)],
  };
}

/** @param lines receives the open connection for the sweeps */
function connectTelnyx(parts: Parts, connection: Connection, lines: Map<string, VoiceLine>): ConnectedCarrier {
  const { db, log, synthesizer, readHoldAudio } = parts;
  const { id, name, settings, credentials } = connection;
  const url = withoutSlash(settings['api_url'] ?? API_URL);
  const reportUrl = `${withoutSlash(settings['public_url'] ?? '')}/carrier/${KIND}/${id}`;
  // The fallback path must differ: Telnyx then treats it as a separate address and tries both.
  const failover = settings['failover_url'] ?? settings['public_url'] ?? '';
  const failoverUrl = `${withoutSlash(failover)}/carrier/${KIND}/${id}/failover`;
  const publicKey = readPublicKey(credentials['public_key'] ?? '');
  const directory = settings['record_to'];
  const recorder = directory === undefined ? undefined : createRecorder({ directory, connection: id, log });
  const record = recorder?.record;
  const client = createClient({ url, key: credentials['key'] ?? '', connection: id, log, record });
  const media = createMediaFetcher({ allowLoopback: isLoopback(url) });
  const findApplication = createApplicationFinder({ client, connectionId: id });
  const addresses = { connectionId: id, reportUrl, failoverUrl };
  const line: TelnyxLine = { db, log, book: openBook(db, id), client, ...addresses, findApplication };
  const voiceLine: VoiceLine = {
    ...{ ...line, synthesizer, readHoldAudio },
    fetchFile: async (address, bytesMax) => {
      const file = await media.fetchMedia(address, bytesMax);
      return typeof file === 'string' ? file : file.bytes;
    },
    transcribes: settings['transcription'] === KIND,
    detects: settings[DETECTION] === KIND,
  };
  lines.set(id, voiceLine);
  const voice: VoiceReports = {
    isAboutCalls,
    translate: (notice) => translateCallNotice(voiceLine, notice),
    readSound: (path) => readSound(voiceLine, path),
  };
  return {
    carrier: {
      name: KIND,
      numbers: createNumbers(line),
      messaging: createMessaging(line, media.fetchMedia),
      registry: createRegistry(line, settings['brand_vertical'] ?? VERTICAL),
      e911: createE911(line, settings['business_name'] ?? BUSINESS),
      porting: createPorting(line),
      voice: createVoice(voiceLine),
    },
    check: async () => [
      await checkKey(client),
      checkPublicKey(publicKey !== undefined),
      checkReportUrl(reportUrl),
      await checkApplication(line, name),
      await checkProfiles(line, name),
    ],
    setup: async () => [
      `Telnyx reports to ${reportUrl}.`,
      ...(await setUpApplication(line)),
      ...(await setUpProfiles(line)),
    ],
    ingress: createIngress({ line, publicKey, record, voice }),
    close: async () => {
      if (lines.get(id) === voiceLine) lines.delete(id);
      await Promise.all([client.close(), media.close()]);
      await recorder?.close();
    },
  };
}

async function checkKey(client: TelnyxClient): Promise<ConnectionFinding> {
  const answer = await client.ask({ method: 'GET', path: '/balance' });
  if (answer.is === 'answered') return readBalance(answer.body);
  if (answer.is === 'locked_out') {
    const advice = 'Make an API key in the Telnyx portal, and add the connection again with it.';
    return { check: 'key', state: 'bad', found: 'refused', advice };
  }
  const advice = 'Try again. If it stays so, look whether this machine reaches the API.';
  return { check: 'key', state: 'bad', found: 'no answer', advice };
}

/** Checks the balance. The account is prepaid, so Telnyx refuses orders and texts without money. */
function readBalance(body: unknown): ConnectionFinding {
  const balance = textAt(body, 'data', 'balance') ?? '';
  const found = `accepted; the account has ${balance} ${textAt(body, 'data', 'currency') ?? ''}`.trimEnd();
  if (Number(balance) >= BALANCE_LOW) return { check: 'key', state: 'good', found };
  return {
    check: 'key',
    state: 'note',
    found,
    advice: 'Add money to the account, or let Telnyx recharge it by itself.',
  };
}

function checkPublicKey(isKey: boolean): ConnectionFinding {
  if (isKey) return { check: 'public key', state: 'good', found: '32 bytes' };
  const advice = 'Copy the public key from Keys & Credentials in the Telnyx portal: 44 characters of base64.';
  return { check: 'public key', state: 'bad', found: 'not a public key; no report is accepted', advice };
}

function checkReportUrl(reportUrl: string): ConnectionFinding {
  const isSecure = reportUrl.startsWith('https://');
  if (isSecure) return { check: 'reports', state: 'good', found: reportUrl };
  const advice = 'Set public_url to an https address: reports contain the texts that people write.';
  return { check: 'reports', state: 'note', found: reportUrl, advice };
}

function isLoopback(url: string): boolean {
  return ['127.0.0.1', '[::1]', 'localhost'].includes(URL.parse(url)?.hostname ?? '');
}
