/** Names that the dial plan of an engine shares with the program that hears it. */
import { textAt } from '../../lib/json-object.ts';

/** The context in which calls from outside arrive. */
export const ARRIVALS = 'from-outside';
/** The context in which calls of telephones arrive. */
export const FROM_PHONES = 'from-phones';
/** The context in which the engine itself connects calls of telephones to 911 and 933. */
export const EMERGENCY = 'emergency';
/**
 * The engine answers OPTIONS by whether it would take a call. Providers ask for names of their own, as in sip:ping@; a
 * call to one is refused with 404. Names of one letter are the dial plan's own.
 */
export const NAMES_REFUSED = 'exten => _[a-zA-Z].,1,Hangup(1)';
/** The context that a leg enters which was dialled and is answered, and its only extension. */
export const ANSWERED = 'answered';
export const ANSWERED_LEG = 'leg';

/** A context that does not exist. */
export const NOWHERE = 'nowhere';

/** What StasisStart says of a leg that was dialled. */
export const DIALLED = 'dialled';

/** True for a channel that takes commands. Others are on their way to the application, or wait until it is heard. */
export function isTaken(channel: unknown): boolean {
  return textAt(channel, 'dialplan', 'app_name') === 'Stasis';
}

/** False for channels that are made for sounds, recordings and streams. */
export function isLegChannel(channel: unknown): boolean {
  return textAt(channel, 'name')?.startsWith('PJSIP/') === true;
}

/** True for a channel of a trunk, false for one of a telephone. */
export function isOfTrunk(channel: unknown): boolean {
  return textAt(channel, 'name')?.startsWith('PJSIP/trunk-') === true;
}

/** True for a telephone's call to 911 or 933, which the engine has connected by itself: nobody else touches it. */
export function isEmergency(channel: unknown): boolean {
  return textAt(channel, 'dialplan', 'context') === EMERGENCY;
}

/** Returns what StasisStart said of a channel that is in the application: the dial plan's arguments. */
export function enteredWith(channel: unknown): readonly string[] {
  // The first is the name of the application.
  return (textAt(channel, 'dialplan', 'app_data') ?? '').split(',').slice(1);
}
