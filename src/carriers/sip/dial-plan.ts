/** Names that the dial plan of an engine shares with the program. */
import { textAt } from '../../lib/json-object.ts';

/** The context for calls from outside. */
export const ARRIVALS = 'from-outside';
/** The context for calls of telephones. */
export const FROM_PHONES = 'from-phones';
/** The context for calls of telephones to 911 and 933, which the engine itself connects. */
export const EMERGENCY = 'emergency';
/** The context for calls between telephones of a tenant, which the engine itself connects. */
export const EXTENSIONS = 'extensions';
/**
 * The engine accepts an OPTIONS request to a name if it would accept a call to it. Providers use names of their choice,
 * such as sip:ping@. A call to such a name is refused with 404. Names of one letter belong to the dial plan.
 */
export const NAMES_REFUSED = 'exten => _[a-zA-Z].,1,Hangup(1)';
/** The context of a dialled leg after its answer, and the only extension of that context. */
export const ANSWERED = 'answered';
export const ANSWERED_LEG = 'leg';

/** The context of a dialled channel at its end, and the only extension of that context. */
export const OVER = 'over';
export const OVER_LEG = 'leg';
/** The variable that this context sets: the status line of the last answer. Events of the channel contain it. */
export const STATUS_LINE = 'STATUS_LINE';

/** The context that ends a channel whose call did not come by SIP, and its only extension. */
export const NOT_BY_SIP = 'not-by-sip';
const NOT_BY_SIP_LEG = 'leg';

/**
 * Returns the first line of an extension that only calls by SIP may enter. A called party that redirects its call (3xx)
 * may name any context of the engine, even the context for 911. The channel of a redirection is not a SIP channel.
 */
export const onlyBySip = (extension: string) =>
  `exten => ${extension},1,GotoIf($["\${CHANNEL(channeltype)}" != "PJSIP"]?${NOT_BY_SIP},${NOT_BY_SIP_LEG},1)`;

/** The lines of NOT_BY_SIP: call rejected (Q.850). */
export const NOT_BY_SIP_LINES = [`exten => ${NOT_BY_SIP_LEG},1,Hangup(21)`];

/** A context that does not exist. */
export const NOWHERE = 'nowhere';

/** The argument of StasisStart for a dialled leg. */
export const DIALLED = 'dialled';

/**
 * True for a channel that takes commands. Other channels have not entered the application yet, or wait for a process.
 */
export function isTaken(channel: unknown): boolean {
  return textAt(channel, 'dialplan', 'app_name') === 'Stasis';
}

/** False for channels that carry sounds, recordings or streams. */
export function isLegChannel(channel: unknown): boolean {
  return textAt(channel, 'name')?.startsWith('PJSIP/') === true;
}

/** True for a channel of a trunk, false for one of a telephone. */
export function isOfTrunk(channel: unknown): boolean {
  return textAt(channel, 'name')?.startsWith('PJSIP/trunk-') === true;
}

/** The application of channels that the dial plan dials. Channels that Dialplane dials have another application. */
const DIALLED_BY_PLAN = 'AppDial';

/** True for both channels of a call that the engine connects without Dialplane: 911, 933, extensions. */
export function isOfEngine(channel: unknown): boolean {
  const context = textAt(channel, 'dialplan', 'context');
  if (context === EMERGENCY || context === EXTENSIONS) return true;
  return textAt(channel, 'dialplan', 'app_name') === DIALLED_BY_PLAN;
}

/** Returns the id of the telephone's channel, from the event that the engine dials 911 or 933 for it. */
export function emergencyCallerOf(event: unknown): string | undefined {
  const isEmergency = textAt(event, 'caller', 'dialplan', 'context') === EMERGENCY;
  return isEmergency ? textAt(event, 'caller', 'id') : undefined;
}

/** Returns the arguments of StasisStart for a channel in the application. The dial plan wrote them. */
export function enteredWith(channel: unknown): readonly string[] {
  // The first element is the name of the application.
  return (textAt(channel, 'dialplan', 'app_data') ?? '').split(',').slice(1);
}
