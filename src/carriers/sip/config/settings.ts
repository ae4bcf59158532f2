/** The settings of a connection to SIP engines. The operator writes them as texts, some of them JSON. */
import { isIP } from 'node:net';
import { explain } from '../../../http/schemas/explain.ts';
import { Findings } from '../../../http/schemas/findings.ts';
import { compileJudge } from '../../../http/schemas/judge.ts';
import type { Failure, Schema } from '../../../http/schemas/schema-types.ts';
import { withoutSlash } from '../../../lib/http/without-slash.ts';
import { type Static, type TSchema, Type } from '../../../lib/type.ts';
import type { Connection, ConnectionField } from '../../adapter.ts';
import { Phones, passwordNameOf, problemOf, type SipPhone } from './telephones.ts';

/** A name that is used in configuration files, in labels of metrics and in addresses. */
const NAME = '^[a-z][a-z0-9-]{0,30}$';
/** A host name or an address. It stands in configuration files, so it has no blanks, brackets or semicolons. */
const HOST = '^[A-Za-z0-9]([A-Za-z0-9.:-]{0,252}[A-Za-z0-9])?$';
const NETWORK = '^[0-9A-Fa-f.:]{2,45}(/[0-9]{1,3})?$';
/** An absolute path. */
const FOLDER = '^/[^\\x00-\\x1f]{0,400}$';
const ENGINES_MAX = 16;
const TRUNKS_MAX = 16;

const Port = Type.Integer({ minimum: 1, maximum: 65_535 });

const Trunk = Type.Object(
  {
    name: Type.String({ pattern: NAME }),
    host: Type.String({ pattern: HOST }),
    /** If it is absent, the port comes from the provider's DNS records (RFC 3263, 4.2), or is SIP's default. */
    port: Type.Optional(Port),
    transport: Type.Enum(['udp', 'tcp', 'tls'], { default: 'udp' }),
    /** How the trunk identifies us: by our address, by a registration, or by a password at each call. */
    auth: Type.Enum(['ip', 'register', 'digest'], { default: 'ip' }),
    username: Type.Optional(Type.String({ pattern: '^[A-Za-z0-9._+-]{1,80}$' })),
    /** The networks that its calls come from; by default the host's address. */
    match: Type.Array(Type.String({ pattern: NETWORK }), { maxItems: 32, default: [] }),
    /** Whether the audio is encrypted; by default only with TLS. */
    srtp: Type.Optional(Type.Boolean()),
    codecs: Type.Array(Type.Enum(['ulaw', 'alaw', 'g722', 'opus']), {
      minItems: 1,
      maxItems: 4,
      default: ['ulaw', 'alaw'],
    }),
    dtmf: Type.Enum(['auto', 'rfc4733', 'info', 'inband'], { default: 'auto' }),
    /** How the trunk writes numbers: +13035550101, 13035550101, or 3035550101 for numbers of its country. */
    numbers: Type.Enum(['e164', 'e164_plain', 'national'], { default: 'e164' }),
    /** Whether the trunk lets a forwarded call show its original caller. */
    caller_id: Type.Enum(['own', 'passed_on'], { default: 'own' }),
    /** Seconds between the OPTIONS requests that check whether the trunk works. */
    keepalive_s: Type.Integer({ minimum: 5, maximum: 3_600, default: 30 }),
  },
  { additionalProperties: false },
);
const Trunks = Type.Array(Trunk, { maxItems: TRUNKS_MAX });

const Passwords = Type.Unsafe<Record<string, string>>({
  type: 'object',
  additionalProperties: Type.String({ minLength: 1, maxLength: 200, pattern: '^[\\x21-\\x7e]+$' }),
});

export type SipTrunk = Static<typeof Trunk> & { readonly srtp: boolean };
/** @public */
export type SipEngine = { readonly name: string; readonly url: string };

export type SipSettings = {
  readonly engines: readonly SipEngine[];
  /** The address of this installation for the engines, without a trailing slash. */
  readonly dialplaneUrl: string;
  /** The trunks. Calls try them in this order. */
  readonly trunks: readonly SipTrunk[];
  readonly phones: readonly SipPhone[];
  /** The name of the trunk that emergency calls try first. */
  readonly emergencyTrunk: string | undefined;
  readonly configFolder: string | undefined;
  /** The address that SIP and RTP are received on. */
  readonly listenAddress: string;
  readonly sipPort: number;
  readonly tlsPort: number;
  /** The first and the last port of RTP. */
  readonly rtpPorts: readonly [number, number];
  readonly publicAddress: string | undefined;
  readonly localNetworks: readonly string[];
  /** The networks of telephones. The firewall does not limit them. */
  readonly phoneNetworks: readonly string[];
  readonly ariPassword: string;
  /** Passwords by the name of a trunk or a telephone. A telephone without a name has its number here. */
  readonly passwords: Readonly<Record<string, string>>;
};

export const SIP_SETTINGS: readonly ConnectionField[] = [
  { name: 'engines', isRequired: true, description: 'Names and addresses of the engines: "a=http://127.0.0.1:8088".' },
  { name: 'dialplane_url', isRequired: true, description: 'Where the engines reach this installation.' },
  { name: 'trunks', isRequired: true, description: 'The trunks in the order of their use: a list in JSON.' },
  { name: 'phones', isRequired: false, description: 'Telephones that register at the engine: a list in JSON.' },
  { name: 'emergency_trunk', isRequired: false, description: 'The trunk that calls to 911 and 933 take first.' },
  { name: 'config_folder', isRequired: false, description: "Where setup writes the engines' configuration." },
  { name: 'listen_address', isRequired: false, description: 'The address for SIP and audio; 127.0.0.1 by default.' },
  { name: 'sip_port', isRequired: false, description: 'The port of SIP over UDP and TCP; 5060 by default.' },
  { name: 'tls_port', isRequired: false, description: 'The port of SIP over TLS; 5061 by default.' },
  { name: 'rtp_ports', isRequired: false, description: 'The ports of audio; 10000-20000 by default.' },
  { name: 'public_address', isRequired: false, description: 'The address that trunks see, behind a NAT.' },
  {
    name: 'phone_networks',
    isRequired: false,
    description: 'Networks of telephones, separated by spaces: not limited.',
  },
  {
    name: 'local_networks',
    isRequired: false,
    description: 'Networks that are not behind the NAT, separated by spaces.',
  },
];

export const SIP_CREDENTIALS: readonly ConnectionField[] = [
  { name: 'ari_password', isRequired: true, description: "The password of the engines' REST interface." },
  { name: 'passwords', isRequired: false, description: 'Passwords of trunks and telephones: an object in JSON.' },
];

const TLS_PORT = 5_061;
const SIP_PORT = 5_060;

/** Reads only the settings of the engines and of the telephones. Throws an Error that names the setting. */
export function readTelephones(settings: Connection['settings']): Pick<SipSettings, 'engines' | 'phones'> {
  const phones = readJson('phones', settings['phones'] ?? '[]', Phones);
  return { engines: readEngines(settings['engines'] ?? ''), phones };
}

/** Reads the settings. Throws an Error that names the wrong setting and its right form. */
export function readSipSettings({ settings, credentials }: Pick<Connection, 'settings' | 'credentials'>): SipSettings {
  const trunks = readJson('trunks', settings['trunks'] ?? '[]', Trunks).map(
    (trunk): SipTrunk => ({
      ...trunk,
      srtp: trunk.srtp ?? trunk.transport === 'tls',
    }),
  );
  const { engines, phones } = readTelephones(settings);
  const passwords = readJson('passwords', credentials['passwords'] ?? '{}', Passwords);
  const emergencyTrunk = settings['emergency_trunk'];
  refuseRepeats(
    'trunks',
    trunks.map(({ name }) => name),
  );
  const problem = problemOf({ phones, trunkNames: trunks.map(({ name }) => name) });
  if (problem !== undefined) throw wrong('phones', problem);
  for (const { name, auth, username, match } of trunks) {
    for (const network of match) readNetwork('trunks', network);
    if (auth !== 'ip' && username === undefined) throw wrong('trunks', `${name} needs a username`);
    if (auth !== 'ip' && !Object.hasOwn(passwords, name)) throw wrong('passwords', `the trunk ${name} has no password`);
  }
  for (const name of phones.map(passwordNameOf)) {
    if (!Object.hasOwn(passwords, name)) throw wrong('passwords', `the telephone ${name} has no password`);
  }
  if (emergencyTrunk !== undefined && !trunks.some(({ name }) => name === emergencyTrunk)) {
    throw wrong('emergency_trunk', `there is no trunk with the name ${emergencyTrunk}`);
  }
  return {
    ...{ engines, trunks, phones, emergencyTrunk, passwords },
    dialplaneUrl: readUrl('dialplane_url', settings['dialplane_url'] ?? ''),
    configFolder: settings['config_folder'] && readPattern('config_folder', settings['config_folder'], FOLDER),
    listenAddress: readAddress('listen_address', settings['listen_address'] ?? '127.0.0.1'),
    sipPort: readPort('sip_port', settings['sip_port'], SIP_PORT),
    tlsPort: readPort('tls_port', settings['tls_port'], TLS_PORT),
    rtpPorts: readRange(settings['rtp_ports'] ?? '10000-20000'),
    publicAddress: settings['public_address'] && readPattern('public_address', settings['public_address'], HOST),
    localNetworks: words(settings['local_networks']).map((network) => readNetwork('local_networks', network)),
    phoneNetworks: words(settings['phone_networks']).map((network) => readNetwork('phone_networks', network)),
    ariPassword: readPattern('ari_password', credentials['ari_password'] ?? '', ARI_PASSWORD),
  };
}

function wrong(name: string, problem: string): Error {
  return new Error(`${name}: ${problem}`);
}

function readJson<T extends TSchema>(name: string, text: string, schema: T): Static<T> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw wrong(name, 'this is not JSON');
  }
  const findings = new Findings();
  compileJudge(schema as Schema)(value, findings);
  const [failure] = findings.failures;
  if (failure !== undefined) throw wrong(name, `${placeOf(failure)} ${explainSetting(failure)}`);
  return value as Static<T>;
}

/** The forms of texts, by the names of their fields. */
const FORMS: ReadonlyMap<string, string> = new Map([
  ['name', 'must have small letters, digits and hyphens, and begin with a letter'],
  ['host', 'must be a host name or an address'],
  ['username', 'must have letters, digits and . _ + - alone'],
  ['number', 'must be a number in E.164, as in +13035550101'],
  ['tenant', 'must be the id of a tenant'],
  ['digits', 'must be 2 to 5 digits'],
  ['to', 'must be a telephone, as in sip_phone:front, or a number in E.164'],
]);

function explainSetting(failure: Failure): string {
  const { keyword, path, params } = failure;
  if (keyword === 'required') return `needs ${params['missingProperty']}`;
  if (keyword === 'additionalProperties') return `has ${params['additionalProperty']}, which is not a setting`;
  return (keyword === 'pattern' ? FORMS.get(path.at(-1) ?? '') : undefined) ?? explain([failure]);
}

const placeOf = ({ path }: Failure) => (path.length === 0 ? 'it' : `/${path.join('/')}`);

function refuseRepeats(name: string, names: readonly string[]): void {
  const repeated = names.find((listed, at) => names.indexOf(listed) !== at);
  if (repeated !== undefined) throw wrong(name, `${repeated} is there twice`);
}

const words = (text: string | undefined) => (text ?? '').split(/\s+/).filter((word) => word !== '');

function readEngines(text: string): readonly SipEngine[] {
  const engines = words(text).map((word): SipEngine => {
    const at = word.indexOf('=');
    const name = readPattern('engines', word.slice(0, Math.max(at, 0)), NAME);
    return { name, url: readUrl('engines', word.slice(at + 1)) };
  });
  if (engines.length === 0 || engines.length > ENGINES_MAX) {
    throw wrong('engines', `give 1 to ${ENGINES_MAX} engines, as in a=http://127.0.0.1:8088`);
  }
  refuseRepeats(
    'engines',
    engines.map(({ name }) => name),
  );
  return engines;
}

function readUrl(name: string, text: string): string {
  const url = URL.parse(text);
  const isHttp = url?.protocol === 'http:' || url?.protocol === 'https:';
  if (!isHttp || url.search !== '' || url.username !== '')
    throw wrong(name, 'give an address, as in http://127.0.0.1:3000');
  // The parsed form is written into configuration files, where a line break would begin another line.
  return withoutSlash(`${url.origin}${url.pathname}`);
}

function readAddress(name: string, text: string): string {
  if (isIP(text) === 0) throw wrong(name, 'give an IP address, as in 127.0.0.1');
  return text;
}

/** Reads an address, or a network as in 203.0.113.0/24. */
function readNetwork(name: string, text: string): string {
  const [address = '', bits] = text.split('/');
  const family = isIP(address);
  const isNetwork = bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (family === 6 ? 128 : 32));
  if (family === 0 || !isNetwork) throw wrong(name, `${text} is no network: give one as in 203.0.113.0/24`);
  return text;
}

const ARI_PASSWORD = '^[A-Za-z0-9._~-]{12,200}$';
const WORDS: ReadonlyMap<string, string> = new Map([
  [NAME, 'give each engine a name and an address, as in a=http://127.0.0.1:8088'],
  [ARI_PASSWORD, 'give 12 characters or more: letters, digits and . _ ~ -'],
  [FOLDER, 'give a folder with its whole path, as in /etc/dialplane-engines'],
  [HOST, 'give a host name or an address'],
]);

function readPattern(name: string, text: string, pattern: string): string {
  if (new RegExp(pattern).test(text)) return text;
  // No message contains a password.
  throw wrong(name, WORDS.get(pattern) ?? `it does not have the form ${pattern}`);
}

function readPort(name: string, text: string | undefined, standard: number): number {
  if (text === undefined) return standard;
  const port = Number(text);
  if (!Number.isInteger(port) || port < 1 || port > 65_535) throw wrong(name, 'give a port from 1 to 65535');
  return port;
}

function readRange(text: string): readonly [number, number] {
  const [, first, last] = /^(\d{1,5})-(\d{1,5})$/.exec(text) ?? [];
  const range = [Number(first), Number(last)] as const;
  if (range[0] >= 1_024 && range[0] < range[1] && range[1] <= 65_535) return range;
  throw wrong('rtp_ports', 'give two ports from 1024 on, as in 10000-20000');
}

/** Returns the trunks in the order that emergency calls try them: the emergency trunk first. */
export function emergencyTrunksOf({ trunks, emergencyTrunk }: SipSettings): readonly SipTrunk[] {
  return trunks.toSorted((a, b) => Number(b.name === emergencyTrunk) - Number(a.name === emergencyTrunk));
}
