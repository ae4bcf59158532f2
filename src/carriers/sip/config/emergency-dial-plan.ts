/**
 * 911 and 933 from a telephone. The engine connects these calls by itself, so that they need neither Dialplane nor its
 * database.
 */
import { EMERGENCY_NUMBERS } from '../../../lib/emergency.ts';
import { ARRIVALS, EMERGENCY, FROM_PHONES, NAMES_REFUSED, NOWHERE } from '../dial-plan.ts';
import { emergencyTrunksOf, type SipSettings, type SipTrunk } from './settings.ts';

/** What people dial before the number. */
const PREFIXES = ['', '+', '1', '+1'];

/** Returns the contexts of calls that telephones make, each with its lines. */
export function emergencyContexts(settings: SipSettings): readonly (readonly [string, readonly string[]])[] {
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
    [EMERGENCY, EMERGENCY_NUMBERS.flatMap((number) => connect(number, emergencyTrunksOf(settings)))],
  ];
}

/** Tries one trunk after the other, until one has connected the call or the caller has hung up. */
const connect = (number: string, trunks: readonly SipTrunk[]) => [
  `exten => ${number},1,Set(caller=${variable('CALLERID(num)')})`,
  // A redirection of the provider (3xx) would be a call from outside otherwise.
  ` same => n,Set(FORWARD_CONTEXT=${NOWHERE})`,
  ...trunks.flatMap((trunk) => [
    ` same => n,Set(CALLERID(num)=${callerFor(trunk)})`,
    ` same => n,Dial(PJSIP/${number}@trunk-${trunk.name})`,
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
