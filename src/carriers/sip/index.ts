/** The adapter for the operator's own SIP engines (Asterisk): calls over SIP trunks. */
import type { Adapter, AdapterKind, AdapterParts, ConnectedCarrier, Connection } from '../adapter.ts';
import { openBook } from '../book/book.ts';
import { createEngineClient } from './ari-client.ts';
import { checkSip } from './config/check.ts';
import { readSipSettings, readTelephones, SIP_CREDENTIALS, SIP_SETTINGS } from './config/settings.ts';
import { setUpSip } from './config/setup.ts';
import { tenantPhoneAt } from './config/telephones.ts';
import { carryOutEvents, isReport } from './engine-events.ts';
import { watchEngine } from './engine-watch.ts';
import { mediaSweeps } from './media/media-sweeps.ts';
import { readSound, SOUND_MAX_AGE_S } from './media/sounds.ts';
import { listTelephones } from './registrations.ts';
import type { SipLine } from './sip-line.ts';
import { createVoice } from './voice.ts';

const KIND = 'sip';

export const SIP_KIND: AdapterKind = {
  description: {
    kind: KIND,
    capabilities: ['voice', 'recording_pause', 'agent_audio', 'machine_detection'],
    settings: SIP_SETTINGS,
    credentials: SIP_CREDENTIALS,
    validate: readSipSettings,
  },
  telephones: {
    list: (db, { id, settings }) => listTelephones(db, { connectionId: id, ...readTelephones(settings) }),
  },
  make: makeSip,
};

type Parts = Pick<
  AdapterParts,
  'db' | 'log' | 'metrics' | 'alarms' | 'sink' | 'takeEvents' | 'synthesizer' | 'readHoldAudio'
>;

function makeSip(parts: Parts): Adapter {
  const lines = new Map<string, SipLine>();
  return { connect: (connection) => connectSip(parts, connection, lines), sweeps: mediaSweeps(parts, lines) };
}

/** @param lines the open connections, for the sweeps */
function connectSip(parts: Parts, connection: Connection, lines: Map<string, SipLine>): ConnectedCarrier {
  const { id } = connection;
  const { db, log, metrics, alarms, sink, takeEvents, synthesizer, readHoldAudio } = parts;
  const settings = readSipSettings(connection);
  const engines = new Map(
    settings.engines.map(({ name, url }) => [
      name,
      createEngineClient({ name, url, password: settings.ariPassword, connection: id, log }),
    ]),
  );
  const shared = { db, log, metrics, alarms, sink, takeEvents, synthesizer, readHoldAudio, settings, engines };
  const line: SipLine = { ...shared, book: openBook(db, id), connectionId: id };
  lines.set(id, line);
  const watches = [...engines.values()].map((client) =>
    watchEngine({ line, client, isReport, onEvents: (events) => carryOutEvents({ line, engine: client }, events) }),
  );
  return {
    carrier: { name: KIND, voice: createVoice(line) },
    listTelephones: () => listTelephones(db, { connectionId: id, ...settings }),
    hasTelephone: ({ tenantId, address }) => tenantPhoneAt(settings.phones, address)?.tenant === tenantId,
    check: () => checkSip({ name: connection.name, settings, engines }),
    setup: () => setUpSip(settings),
    start: () => {
      for (const watch of watches) watch.start();
      return Promise.resolve();
    },
    // Engines fetch sounds over HTTP. All reports arrive as events on their sockets.
    ingress: {
      read: () => 'malformed',
      translate: () => Promise.resolve({ is: 'ignored' }),
      readSound: (path) => readSound(line, path),
      soundMaxAgeS: SOUND_MAX_AGE_S,
    },
    close: async () => {
      if (lines.get(id) === line) lines.delete(id);
      await Promise.all(watches.map((watch) => watch.close()));
      await Promise.all([...engines.values()].map((engine) => engine.close()));
    },
  };
}
