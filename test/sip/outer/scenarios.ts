/** Scenarios of sipp: a provider that receives calls, and callers. */

const scenario = (...steps: readonly string[]) =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<scenario name="tests">\n${steps.join('\n')}\n</scenario>\n`;

const SDP = [
  ...['v=0', 'o=- 1 1 IN IP4 [local_ip]', 's=-', 'c=IN IP4 [media_ip]', 't=0 0'],
  ...['m=audio [media_port] RTP/AVP 0', 'a=rtpmap:0 PCMU/8000', 'a=sendrecv'],
];

function send(lines: readonly string[], { retransmits = false } = {}): string {
  return `<send${retransmits ? ' retrans="500"' : ''}><![CDATA[\n${lines.join('\n')}\n]]></send>`;
}

/** Replies to the last request. */
function reply(status: string, { sdp = false } = {}): string {
  const body = sdp ? ['Content-Type: application/sdp', 'Content-Length: [len]', '', ...SDP] : ['Content-Length: 0', ''];
  const kept = ['[last_Via:]', '[last_From:]', '[last_To:];tag=[call_number]', '[last_Call-ID:]', '[last_CSeq:]'];
  const contact = 'Contact: <sip:provider@[local_ip]:[local_port]>';
  return send([`SIP/2.0 ${status}`, ...kept, contact, ...body], { retransmits: status.startsWith('2') && sdp });
}

const label = (name: string) => `<label id="${name}"/>`;
const pause = (ms: number) => `<pause milliseconds="${ms}"/>`;
const recv = (what: string) => `<recv ${what}/>`;

/** The provider's reaction to a call, by the last three digits of the number. */
export const PROVIDER = {
  /** Answers 486. */
  busy: '486',
  /** Never replies. */
  silent: '408',
  /** Rings, answers, and hangs up a second later. */
  hangsUp: '200',
  /** Plays early media for three seconds, answers, and hangs up a second later. */
  answersLate: '183',
  /** Plays early media for a second, and answers 486. */
  isBusyLate: '184',
  /** Plays early media until the call is cancelled. */
  staysEarly: '185',
} as const;

const earlyMedia = reply('183 Session Progress', { sdp: true });

/** Ends the INVITE after its CANCEL. */
const CANCELED = send([
  'SIP/2.0 487 Request Terminated',
  ...['[last_Via:]', '[last_From:]', '[last_To:];tag=[call_number]', '[last_Call-ID:]', 'CSeq: [$cseq]'],
  ...['Content-Length: 0', ''],
]);

/** Ends the call of a request, with the stored data of its INVITE. */
const BYE = send([
  'BYE [next_url] SIP/2.0',
  'Via: SIP/2.0/[transport] [local_ip]:[local_port];branch=[branch]',
  'From: [$local];tag=[call_number]',
  'To: [$peer]',
  '[last_Call-ID:]',
  'CSeq: 2 BYE',
  'Max-Forwards: 70',
  'Content-Length: 0',
  '',
]);

const HABITS: Readonly<Record<keyof typeof PROVIDER, readonly string[]>> = {
  busy: [reply('486 Busy Here'), recv('request="ACK" next="end"')],
  silent: [recv('request="ACK" timeout="9000" ontimeout="end" next="end"')],
  hangsUp: [
    reply('180 Ringing'),
    pause(300),
    reply('200 OK', { sdp: true }),
    recv('request="ACK" rrs="true"'),
    pause(1_000),
    BYE,
    recv('response="200" next="end"'),
  ],
  answersLate: [
    earlyMedia,
    pause(3_000),
    reply('200 OK', { sdp: true }),
    recv('request="ACK" rrs="true"'),
    pause(1_000),
    BYE,
    recv('response="200" next="end"'),
  ],
  isBusyLate: [earlyMedia, pause(1_000), reply('486 Busy Here'), recv('request="ACK" next="end"')],
  staysEarly: [earlyMedia, recv('request="CANCEL"'), reply('200 OK'), CANCELED, recv('request="ACK" next="end"')],
};

/** The provider. It also answers OPTIONS, and refuses all other numbers with 503. */
export function providerScenario(): string {
  const habits = Object.entries(PROVIDER);
  const header = (name: string, variable: string) =>
    `<ereg regexp=".*" search_in="hdr" header="${name}:" assign_to="${variable}"/>`;
  const tests = habits.map(
    ([name, digits]) => `<ereg regexp="^INVITE sip:[^@]*${digits}@" search_in="msg" assign_to="${name}"/>`,
  );
  return scenario(
    recv('request="OPTIONS" optional="true" next="options"'),
    `<recv request="INVITE" rrs="true"><action>${header('To', 'local')}${header('From', 'peer')}${header('CSeq', 'cseq')}${tests.join('')}</action></recv>`,
    '<Reference variables="local,peer,cseq"/>',
    ...habits.map(([name]) => `<nop next="${name}" test="${name}"/>`),
    reply('503 Service Unavailable'),
    recv('request="ACK" next="end"'),
    ...habits.flatMap(([name]) => [label(name), ...HABITS[name as keyof typeof PROVIDER]]),
    label('options'),
    reply('200 OK'),
    label('end'),
    '<nop/>',
  );
}

/** A request of a caller. The transactions of INVITE and CANCEL have the same branch (RFC 3261, 9.1). */
function request(method: 'INVITE' | 'CANCEL' | 'ACK' | 'BYE', branch: string, isRetransmitted = true): string {
  const body =
    method === 'INVITE'
      ? ['Content-Type: application/sdp', 'Content-Length: [len]', '', ...SDP]
      : ['Content-Length: 0', ''];
  const lines = [
    `${method} sip:[service]@[remote_ip]:[remote_port] SIP/2.0`,
    `Via: SIP/2.0/[transport] [local_ip]:[local_port];branch=z9hG4bK-[pid]-[call_number]-${branch}`,
    'From: <sip:[from]@[local_ip]:[local_port]>;tag=[pid]-[call_number]',
    `To: <sip:[service]@[remote_ip]:[remote_port]>${method === 'ACK' || method === 'BYE' ? '[peer_tag_param]' : ''}`,
    'Call-ID: [call_id]',
    `CSeq: ${method === 'BYE' ? 2 : 1} ${method}`,
    'Contact: <sip:[from]@[local_ip]:[local_port]>',
    'Max-Forwards: 70',
    ...body,
  ];
  return send(lines, { retransmits: isRetransmitted && method !== 'ACK' });
}

const PROVISIONAL = [100, 180, 183].map((status) => recv(`response="${status}" optional="true"`));

/** A caller who hangs up half a second after the first ringing. */
export const givesUp = scenario(
  request('INVITE', 'a'),
  recv('response="100" optional="true"'),
  recv('response="180"'),
  pause(500),
  request('CANCEL', 'a'),
  recv('response="200"'),
  recv('response="487"'),
  request('ACK', 'a'),
);

/** A caller who hangs up a second after the answer. */
export const hangsUp = scenario(
  request('INVITE', 'a'),
  ...PROVISIONAL,
  recv('response="200"'),
  request('ACK', 'b'),
  pause(1_000),
  request('BYE', 'c'),
  recv('response="200"'),
);

/** A caller that the engine refuses with a status. */
export const refusedWith = (status: number) =>
  scenario(
    request('INVITE', 'a'),
    recv('response="100" optional="true"'),
    recv(`response="${status}"`),
    request('ACK', 'a'),
  );

/** A caller of a flood: one packet, and some seconds for the refusal. These are longer than an engine stalls. */
export const floods = scenario(request('INVITE', 'a', false), recv('response="401" timeout="10000"'));
