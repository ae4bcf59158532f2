/** The SIP side of an engine: its transports, the trunks, and the telephones that register. */
import { createHash } from 'node:crypto';
import { isIPv6 } from 'node:net';
import { ARRIVALS } from '../dial-plan.ts';
import { type Entry, file, section } from './ini.ts';
import type { EngineLayout } from './layout.ts';
import type { SipSettings, SipTrunk } from './settings.ts';
import { contextOf } from './telephone-dial-plan.ts';
import { endpointOf, passwordNameOf, type SipPhone } from './telephones.ts';
import { endpointOfTrunk } from './trunk-endpoints.ts';

/**
 * The time until the engine repeats an unanswered request, in milliseconds. A provider that answers later recognizes
 * the repeat (RFC 3261, 17.2.1). If a trunk has not answered an INVITE after 64 times this, the engine gives up:
 * Asterisk accepts no shorter timer B. With the RFC's 500 ms (17.1.1.1) a caller would wait 32 s for the next trunk.
 */
const T1_MS = 100;
const GIVE_UP_MS = 64 * T1_MS;
/** A call ends after this many seconds without audio, because its other end is gone. */
const RTP_TIMEOUT_S = 120;
const RTP_TIMEOUT_HOLD_S = 3_600;
const QUALIFY_TIMEOUT_S = 3;
const REGISTRATION_S = 300;
/** Telephones register at least this often. The registration of a telephone that disappears expires after this time. */
const PHONE_S = 60;
/** How often the engine removes registrations that have expired. */
const EXPIRED_CHECK_S = 5;
const RETRY_S = 30;
/** The realm of the telephones' passwords. */
const REALM = 'dialplane';

export function renderPjsip(settings: SipSettings, layout: EngineLayout): string {
  return file(
    renderGlobal(),
    ...renderTransports(settings, layout),
    ...settings.trunks.flatMap((trunk) => renderTrunk(trunk, settings)),
    ...settings.phones.flatMap((phone) => renderPhone(phone, settings)),
  );
}

/**
 * Unknown senders have no endpoint. A request that matches no trunk and no telephone is challenged and then refused.
 * Repeated requests are security events in the log.
 */
function renderGlobal(): string {
  return [
    section('system', [
      ['type', 'system'],
      ['timer_t1', T1_MS],
      ['timer_b', GIVE_UP_MS],
    ]),
    section('global', [
      ['type', 'global'],
      ['user_agent', 'Dialplane'],
      ['endpoint_identifier_order', 'ip,username,auth_username'],
      ['unidentified_request_count', 3],
      ['unidentified_request_period', 5],
      ['unidentified_request_prune_interval', 30],
      ['default_realm', REALM],
      ['keep_alive_interval', 90],
      ['contact_expiration_check_interval', EXPIRED_CHECK_S],
    ]),
  ].join('\n');
}

function renderTransports(settings: SipSettings, { keys, caFile }: EngineLayout): readonly string[] {
  const { listenAddress, sipPort, tlsPort, publicAddress, localNetworks, trunks } = settings;
  const host = isIPv6(listenAddress) ? `[${listenAddress}]` : listenAddress;
  const behindNat = [
    ['external_media_address', publicAddress],
    ['external_signaling_address', publicAddress],
    ...localNetworks.map((network) => ['local_net', network] as const),
  ] as const;
  const plain = (['udp', 'tcp'] as const).map((protocol) =>
    section(`transport-${protocol}`, [
      ['type', 'transport'],
      ['protocol', protocol],
      ['bind', `${host}:${sipPort}`],
      ...behindNat,
    ]),
  );
  if (!trunks.some(({ transport }) => transport === 'tls')) return plain;
  const tls = section('transport-tls', [
    ['type', 'transport'],
    ['protocol', 'tls'],
    ['bind', `${host}:${tlsPort}`],
    ['cert_file', `${keys}/sip.crt`],
    ['priv_key_file', `${keys}/sip.key`],
    ['ca_list_file', caFile],
    ['method', 'tlsv1_2'],
    ['verify_server', 'yes'],
    ...behindNat,
  ]);
  return [...plain, tls];
}

/** The settings that trunks and telephones share. */
const endpointIn = (context: string) =>
  [
    ['type', 'endpoint'],
    ['context', context],
    ['disallow', 'all'],
  ] as const;

/** The audio passes through the engine. The endpoint takes only calls. */
const callsOnly = (settings: SipSettings): readonly Entry[] => [
  ...audioAddress(settings),
  ['direct_media', 'no'],
  // The engine does not tell a party the number of the other party during a call, because many providers refuse such a
  // request.
  ['send_connected_line', 'no'],
  ['rtp_symmetric', 'yes'],
  ['force_rport', 'yes'],
  ['rtp_timeout', RTP_TIMEOUT_S],
  ['rtp_timeout_hold', RTP_TIMEOUT_HOLD_S],
  ['max_video_streams', 0],
  ['allow_transfer', 'no'],
  ['allow_subscribe', 'no'],
];

/**
 * The engine receives audio only on the address for SIP. If that is loopback, it receives audio on all addresses:
 * telephones of this machine may name another address as theirs, which cannot be reached from loopback.
 */
function audioAddress({ listenAddress }: SipSettings): readonly Entry[] {
  const isOwn = !/^(127\.|::1?$|0\.0\.0\.0$)/.test(listenAddress);
  return isOwn
    ? [
        ['media_address', listenAddress],
        ['bind_rtp_to_media_address', 'yes'],
      ]
    : [];
}

function renderTrunk(trunk: SipTrunk, settings: SipSettings): readonly string[] {
  const id = `trunk-${trunk.name}`;
  const host = isIPv6(trunk.host) ? `[${trunk.host}]` : trunk.host;
  // An address with a port is not looked up in the provider's SRV records.
  const uri = trunk.port === undefined ? `sip:${host}` : `sip:${host}:${trunk.port}`;
  const address = trunk.transport === 'udp' ? uri : `${uri};transport=${trunk.transport}`;
  const hasPassword = trunk.auth !== 'ip';
  const endpointName = endpointOfTrunk(settings, trunk.name);
  const endpoint = section(endpointName, [
    ...endpointIn(ARRIVALS),
    ['transport', `transport-${trunk.transport}`],
    ['allow', trunk.codecs.join(',')],
    ['aors', id],
    ['identify_by', 'ip'],
    ['outbound_auth', hasPassword ? id : undefined],
    ['from_domain', hasPassword ? trunk.host : undefined],
    ['dtmf_mode', trunk.dtmf],
    ['media_encryption', trunk.srtp ? 'sdes' : 'no'],
    // The engine trusts the provider's statement of the caller. It sends the caller's number to the provider even if
    // the called party must not see it.
    ['trust_id_inbound', 'yes'],
    ['trust_id_outbound', 'yes'],
    ['send_pai', 'yes'],
    ...callsOnly(settings),
  ]);
  const aor = section(id, [
    ['type', 'aor'],
    ['contact', address],
    ['qualify_frequency', trunk.keepalive_s],
    ['qualify_timeout', QUALIFY_TIMEOUT_S],
  ]);
  const networks = trunk.match.length === 0 ? [trunk.host] : trunk.match;
  const identify = section(id, [
    ['type', 'identify'],
    ['endpoint', endpointName],
    ['match', networks.join(',')],
  ]);
  const auth = section(id, [
    ['type', 'auth'],
    ['auth_type', 'digest'],
    ['username', trunk.username],
    ['password', settings.passwords[trunk.name]],
  ]);
  const sections = [endpoint, aor, identify, ...(hasPassword ? [auth] : [])];
  return trunk.auth === 'register' ? [...sections, renderRegistration(trunk, { id, address, endpointName })] : sections;
}

/** The registered address contains a random word. It identifies a call from any address of the provider. */
function renderRegistration(
  trunk: SipTrunk,
  { id, address, endpointName }: { id: string; address: string; endpointName: string },
): string {
  return section(id, [
    ['type', 'registration'],
    ['transport', `transport-${trunk.transport}`],
    ['outbound_auth', id],
    ['server_uri', address],
    ['client_uri', address.replace('sip:', `sip:${trunk.username}@`)],
    ['contact_user', trunk.username],
    ['expiration', REGISTRATION_S],
    ['retry_interval', RETRY_S],
    ['forbidden_retry_interval', RETRY_S],
    ['fatal_retry_interval', RETRY_S],
    ['max_retries', 1_000_000],
    ['auth_rejection_permanent', 'no'],
    ['line', 'yes'],
    ['endpoint', endpointName],
  ]);
}

/** The file contains no password of a telephone, only the digest that the engine compares answers with. */
function renderPhone(phone: SipPhone, settings: SipSettings): readonly string[] {
  const id = endpointOf(phone);
  const endpoint = section(id, [
    ...endpointIn(contextOf(phone)),
    ['allow', 'ulaw,alaw'],
    ['aors', id],
    ['auth', id],
    ['identify_by', 'username,auth_username'],
    ['callerid', `<${phone.number}>`],
    ['trust_id_inbound', 'no'],
    ['rewrite_contact', 'yes'],
    ['dtmf_mode', 'auto'],
    ['media_encryption', 'no'],
    ...callsOnly(settings),
  ]);
  const aor = section(id, [
    ['type', 'aor'],
    ['max_contacts', 1],
    ['remove_existing', 'yes'],
    // Telephones get no OPTIONS requests. A telephone that missed one could not be called until it answers the next,
    // even if it registers in between. Registrations are enough to keep the telephone's path through a NAT open.
    ['qualify_frequency', 0],
    ['default_expiration', PHONE_S],
    ['maximum_expiration', PHONE_S],
  ]);
  const auth = section(id, [
    ['type', 'auth'],
    ['auth_type', 'digest'],
    ['username', id],
    ['realm', REALM],
    ['password_digest', `MD5:${digestOf(`${id}:${REALM}:${settings.passwords[passwordNameOf(phone)] ?? ''}`)}`],
  ]);
  return [endpoint, aor, auth];
}

/** SIP digests use MD5 (RFC 3261, 22.4). */
function digestOf(text: string): string {
  return createHash('md5').update(text).digest('hex');
}
