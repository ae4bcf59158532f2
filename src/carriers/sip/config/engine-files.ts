/** The configuration files of one engine. They are made from the settings of its connection. */
import { isIP, isIPv6 } from 'node:net';
import { APPLICATION } from '../ari-client.ts';
import {
  ANSWERED,
  ANSWERED_LEG,
  ARRIVALS,
  DIALLED,
  NAMES_REFUSED,
  NOT_BY_SIP,
  NOT_BY_SIP_LINES,
  OVER,
  OVER_LEG,
  onlyBySip,
  STATUS_LINE,
} from '../dial-plan.ts';
import { renderFirewall } from './firewall.ts';
import { file, section } from './ini.ts';
import { DEBIAN_LAYOUT, type EngineLayout } from './layout.ts';
import { renderModules } from './modules-conf.ts';
import { renderPjsip } from './pjsip-conf.ts';
import type { SipEngine, SipSettings } from './settings.ts';
import { telephoneContexts } from './telephone-dial-plan.ts';

/** Asterisk's fixed names of sections. A file has at most one of each. */
const GENERAL = 'general';
const HTTP_PORT = 80;
const HTTPS_PORT = 443;
/** The most open requests and sockets, from all processes of Dialplane. */
const SESSIONS_MAX = 1_000;

/**
 * Returns the files of an engine by their names. The names are the same for all settings, so no file of an earlier run
 * stays behind.
 */
export function renderEngineFiles(
  settings: SipSettings,
  engine: SipEngine,
  layout: EngineLayout = DEBIAN_LAYOUT,
): ReadonlyMap<string, string> {
  return new Map([
    ['asterisk.conf', renderAsterisk(engine, layout)],
    ['modules.conf', renderModules()],
    ['http.conf', renderHttp(engine, layout)],
    ['ari.conf', renderAri(settings)],
    ['pjsip.conf', renderPjsip(settings, layout)],
    ['rtp.conf', renderRtp(settings)],
    ['extensions.conf', renderExtensions(settings)],
    ['websocket_client.conf', renderWebsocketClient(settings, layout)],
    ['res_http_media_cache.conf', file(section(GENERAL, [['timeout_secs', 10]]))],
    ['logger.conf', renderLogger()],
    ...OTHERS,
    ['sip.nft', renderFirewall(settings)],
  ]);
}

/**
 * Files that Asterisk warns about if they are missing, and files that switch off parts of Asterisk that are not used.
 */
const OTHERS: readonly (readonly [string, string])[] = [
  ['cdr.conf', file(section(GENERAL, [['enable', 'no']]))],
  ['cel.conf', file(section(GENERAL, [['enable', 'no']]))],
  ['manager.conf', file(section(GENERAL, [['enabled', 'no']]))],
  ['stasis.conf', file(section('taskpool', []))],
  // The gateway reads the control messages of the audio sockets as JSON.
  ['chan_websocket.conf', file(section('global', [['control_message_format', 'json']]))],
  ['indications.conf', renderTones()],
  ...['acl', 'ccss', 'features', 'pjproject', 'sorcery', 'udptl'].map((name) => [`${name}.conf`, file()] as const),
];

/** The tones of North America that a caller hears. */
function renderTones(): string {
  return file(
    section(GENERAL, [['country', 'us']]),
    section('us', [
      ['description', 'North America'],
      ['ringcadence', '2000,4000'],
      ['dial', '350+440'],
      ['ring', '440+480/2000,0/4000'],
      ['busy', '480+620/500,0/500'],
      ['congestion', '480+620/250,0/250'],
    ]),
  );
}

function renderAsterisk({ name }: SipEngine, { directories }: EngineLayout): string {
  const folders = Object.entries(directories);
  return file(
    ...(folders.length === 0 ? [] : [section('directories', folders)]),
    section('options', [
      // The ids of channels begin with the name, so two engines never have the same id.
      ['systemname', name],
      ['hideconnect', 'yes'],
      ['live_dangerously', 'no'],
      ['disable_remote_console_shell', 'yes'],
      ['hide_messaging_ami_events', 'yes'],
    ]),
  );
}

/**
 * The server listens on the address of the engine in the settings. If the settings have a host name, it listens on all
 * addresses; the machine's firewall must then admit only Dialplane to the port.
 */
function renderHttp({ url }: SipEngine, { keys }: EngineLayout): string {
  const { protocol, hostname, port } = new URL(url);
  const host = hostname.replaceAll(/[[\]]/g, '');
  const named = host === 'localhost' ? '127.0.0.1' : '0.0.0.0';
  const address = isIP(host) === 0 ? named : host;
  const isSecure = protocol === 'https:';
  const listens = isSecure
    ? ([
        // Asterisk has no setting for TLS alone.
        ['bindaddr', '127.0.0.1'],
        ['tlsenable', 'yes'],
        ['tlsbindaddr', `${isIPv6(address) ? `[${address}]` : address}:${port || HTTPS_PORT}`],
        ['tlscertfile', `${keys}/sip.crt`],
        ['tlsprivatekey', `${keys}/sip.key`],
      ] as const)
    : ([
        ['bindaddr', address],
        ['bindport', port || HTTP_PORT],
      ] as const);
  return file(
    section(GENERAL, [
      ['enabled', 'yes'],
      ...listens,
      ['servername', 'Dialplane'],
      ['enable_static', 'no'],
      ['enable_status', 'no'],
      ['sessionlimit', SESSIONS_MAX],
    ]),
  );
}

function renderAri({ ariPassword }: SipSettings): string {
  return file(
    section(GENERAL, [
      ['enabled', 'yes'],
      ['pretty', 'no'],
      ['channelvars', STATUS_LINE],
    ]),
    section(APPLICATION, [
      ['type', 'user'],
      ['read_only', 'no'],
      ['password', ariPassword],
      ['password_format', 'plain'],
    ]),
  );
}

function renderRtp({ rtpPorts: [first, last] }: SipSettings): string {
  return file(
    section(GENERAL, [
      ['rtpstart', first],
      ['rtpend', last],
      ['strictrtp', 'yes'],
      ['icesupport', 'no'],
    ]),
  );
}

/**
 * Every call goes to Dialplane. A call from outside carries the number that was called. A provider that calls the
 * registered address puts the number in the To header.
 */
function renderExtensions(settings: SipSettings): string {
  const { trunks } = settings;
  const registered = new Set(trunks.flatMap(({ auth, username }) => (auth === 'register' ? (username ?? []) : [])));
  const lines = [
    ...[...registered].flatMap((username) => [
      onlyBySip(username),
      ` same => n,Set(to=\${PJSIP_HEADER(read,To)})`,
      ...arrival('PJSIP_PARSE_URI_FROM(to,user)'),
    ]),
    onlyBySip('_[+0-9]!'),
    ...arrival('EXTEN'),
    NAMES_REFUSED,
  ];
  const text = (name: string, of: readonly string[]) => `[${name}]\n${of.map((line) => `${line}\n`).join('')}`;
  return file(
    text(ARRIVALS, lines),
    ...telephoneContexts(settings).map(([name, of]) => text(name, of)),
    text(ANSWERED, [onlyBySip(ANSWERED_LEG), ...untilTaken(DIALLED, ANSWERED_S)]),
    text(OVER, NOTED_END),
    text(NOT_BY_SIP, NOT_BY_SIP_LINES),
  );
}

/** Stores the status line of the network's last answer, such as "SIP 603 Decline", if there was one. */
const NOTED_END = [
  `exten => ${OVER_LEG},1,GotoIf($["\${HANGUPCAUSE_KEYS()}" = ""]?over)`,
  ` same => n,Set(${STATUS_LINE}=\${HANGUPCAUSE(\${CHANNEL(name)},tech)})`,
  ' same => n(over),Return()',
];

/** The caller's attestations, whether the number is shown, and the caller's name. */
const CALLER = [
  ...['PJSIP_HEADER(read,Identity)', 'PJSIP_HEADER(read,P-Asserted-Identity)'],
  ...['CALLERID(pres)', 'PJSIP_HEADER(read,Privacy)', 'PJSIP_HEADER(read,Remote-Party-ID)'],
  // A network that forwards a call adds another Identity header (RFC 8946).
  ...['PJSIP_HEADER(read,Identity,2)', 'PJSIP_HEADER(read,Identity,3)'],
  'PJSIP_HEADER(read,From)',
];

/**
 * How long a caller waits while no process is connected to the engine. After that, the provider may try another engine.
 */
const ARRIVED_S = 4;
/** How long a dialled leg that was answered waits while no process is connected to the engine. */
const ANSWERED_S = 15;

/** Encodes text from outside, because a comma in it would end the argument. */
const encoded = (values: readonly string[]) => values.map((value) => `\${URIENCODE(\${${value}})}`).join(',');

const arrival = (number: string) => untilTaken(`arrival,${encoded([number, ...CALLER])}`, ARRIVED_S);

/**
 * Passes a channel to Dialplane. While no process is connected to the engine, as in a restart, the engine tries four
 * times a second. After `seconds` it ends the channel.
 */
const untilTaken = (args: string, seconds: number) => [
  ' same => n,Set(tries=0)',
  ` same => n(take),Stasis(${APPLICATION},${args})`,
  ` same => n,Set(tries=$[\${tries} + 1])`,
  ` same => n,GotoIf($["\${STASISSTATUS}" != "FAILED" | \${tries} > ${seconds * 4}]?over)`,
  ' same => n,Wait(0.25)',
  ' same => n,Goto(take)',
  // Congestion (Q.850), which is 503 in SIP.
  ' same => n(over),Hangup(34)',
];

/** Each call adds its own query to this address. */
function renderWebsocketClient({ dialplaneUrl }: SipSettings, { caFile }: EngineLayout): string {
  const isSecure = dialplaneUrl.startsWith('https:');
  return file(
    section(APPLICATION, [
      ['type', 'websocket_client'],
      ['connection_type', 'per_call_config'],
      ['uri', `${dialplaneUrl.replace(/^http/, 'ws')}/v1/ingest`],
      ['protocols', 'media'],
      ['connection_timeout', 2_000],
      ['reconnect_attempts', 1],
      ['tls_enabled', isSecure ? 'yes' : 'no'],
      ['ca_list_file', isSecure ? caFile : undefined],
    ]),
  );
}

function renderLogger(): string {
  return file(
    section(GENERAL, [
      ['dateformat', '%F %T.%3q'],
      ['queue_log', 'no'],
    ]),
    section('logfiles', [
      ['console', 'warning,error'],
      ['messages.log', 'notice,warning,error'],
      ['security.log', 'security'],
    ]),
  );
}
