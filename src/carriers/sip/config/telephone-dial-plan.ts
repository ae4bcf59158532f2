/**
 * Calls of telephones. The engine itself connects calls to 911, to 933 and between telephones of a tenant, without
 * Dialplane and its database. All other calls go to Dialplane.
 */
import { EMERGENCY_NUMBERS } from '../../../lib/phone/emergency.ts';
import { ARRIVALS, EMERGENCY, EXTENSIONS, FROM_PHONES, NAMES_REFUSED, NOWHERE, onlyBySip } from '../dial-plan.ts';
import { emergencyTrunksOf, type SipSettings, type SipTrunk } from './settings.ts';
import { endpointOf, type SipPhone, tenantPhoneAt } from './telephones.ts';
import { endpointOfTrunk } from './trunk-endpoints.ts';

/** The prefixes that people dial before the number. */
const PREFIXES = ['', '+', '1', '+1'];
/** How long a telephone rings if an extension calls it. */
const RING_S = 60;

type Context = readonly [name: string, lines: readonly string[]];

/** Returns the context where the calls of a telephone begin. A telephone with extensions has its own context. */
export function contextOf(phone: SipPhone): string {
  return phone.extensions.length === 0 ? FROM_PHONES : `from-${endpointOf(phone)}`;
}

/** Returns the contexts of calls from telephones, each with its lines. */
export function telephoneContexts(settings: SipSettings): readonly Context[] {
  const forms = PREFIXES.flatMap((prefix) => EMERGENCY_NUMBERS.map((number) => [prefix + number, number] as const));
  return [
    [
      FROM_PHONES,
      [
        ...forms.map(([form, number]) => `exten => ${form},1,Goto(${EMERGENCY},${number},1)`),
        `exten => _[+0-9]!,1,Goto(${ARRIVALS},${variable('EXTEN')},1)`,
        NAMES_REFUSED,
      ],
    ],
    ...settings.phones.filter(({ extensions }) => extensions.length > 0).map((phone) => ownContext(phone, settings)),
    [EXTENSIONS, settings.phones.flatMap((phone) => connectTelephone(endpointOf(phone)))],
    [EMERGENCY, EMERGENCY_NUMBERS.flatMap((number) => connect(number, settings))],
  ];
}

/** The extensions of a telephone. They come before the numbers that every telephone can dial. */
function ownContext(phone: SipPhone, { phones }: SipSettings): Context {
  const lines = phone.extensions.flatMap(({ digits, to }) => {
    const other = tenantPhoneAt(phones, to);
    if (other === undefined) return [`exten => ${digits},1,Goto(${ARRIVALS},${to},1)`];
    return [
      // The called telephone shows the name of the calling telephone, because several telephones may share one number.
      `exten => ${digits},1,Set(CALLERID(name)=${phone.name})`,
      ` same => n,Goto(${EXTENSIONS},${endpointOf(other)},1)`,
    ];
  });
  return [contextOf(phone), [...lines, `include => ${FROM_PHONES}`]];
}

/** Rings a telephone. If it is busy or not registered, the call ends with that cause. */
const connectTelephone = (endpoint: string) => [
  onlyBySip(endpoint),
  ` same => n,Set(FORWARD_CONTEXT=${NOWHERE})`,
  ` same => n,Dial(PJSIP/${endpoint},${RING_S},i)`,
  ` same => n,Hangup(${variable('HANGUPCAUSE')})`,
];

/** Tries one trunk after another, until a trunk has connected the call or the caller has hung up. */
const connect = (number: string, settings: SipSettings) => [
  onlyBySip(number),
  ` same => n,Set(caller=${variable('CALLERID(num)')})`,
  // Otherwise a redirection by the provider (3xx) would become a call from outside.
  ` same => n,Set(FORWARD_CONTEXT=${NOWHERE})`,
  ...emergencyTrunksOf(settings).flatMap((trunk) => [
    ` same => n,Set(CALLERID(num)=${callerFor(trunk)})`,
    ` same => n,Dial(PJSIP/${number}@${endpointOfTrunk(settings, trunk.name)},,i)`,
    ` same => n,GotoIf($["${variable('DIALSTATUS')}" = "ANSWER" | "${variable('DIALSTATUS')}" = "CANCEL"]?over)`,
  ]),
  // Congestion (Q.850), which is 503 in SIP.
  ' same => n(over),Hangup(34)',
];

/** The telephone's number, in the form that the trunk takes. */
function callerFor({ numbers }: SipTrunk): string {
  if (numbers === 'e164') return variable('caller');
  if (numbers !== 'national') return variable('caller:1');
  const isOfCountry = `$["${variable('caller:0:2')}" = "+1"]`;
  return variable(`IF(${isOfCountry}?${variable('caller:2')}:${variable('caller:1')})`);
}

const variable = (expression: string) => `\${${expression}}`;
