import type { Call } from '@dialplane/sdk/resources';

/** The state of a call for the person at one phone. `none`: the phone does not ring yet, but may ring later. */
export type CallView = {
  readonly state: 'none' | 'calling' | 'ringing' | 'talking' | 'over';
  readonly party: 'customer' | 'agent';
  /** True once a voicemail has greeted the person. */
  readonly isAtVoicemail: boolean;
};

type Entry = Call['events'][number];

const OVER: ReadonlySet<string> = new Set(['completed', 'failed', 'missed']);
/** Each of these log entries says that the caller is connected to a person or a machine. */
const HEARD: ReadonlySet<string> = new Set(['bridged', 'menu_choice', 'gather_started', 'voicemail_started']);

export const isOver = ({ status }: Call): boolean => OVER.has(status);

/** Returns the state of the call for the phone with this number, from the log of the call. */
export function viewOf(call: Call, number: string): CallView {
  let view: CallView = { state: 'none', party: 'agent', isAtVoicemail: false };
  for (const entry of call.events) view = { ...view, ...changeBy(entry, { call, number, view }) };
  return isOver(call) && view.state !== 'none' ? { ...view, state: 'over' } : view;
}

type Around = { readonly call: Call; readonly number: string; readonly view: CallView };

function changeBy({ type, detail }: Entry, { call, number, view }: Around): Partial<CallView> {
  const { direction, from, to, connect_to: agent } = call;
  const { party, target, answered_by: answeredBy, to: movedTo } = detail as Record<string, unknown>;
  const isCaller = direction === 'inbound' && from === number;
  const isTarget = target === number;
  if (type === 'initiated') return isCaller ? { state: 'calling', party: 'customer' } : {};
  if (type === 'target_ringing') return isTarget ? { state: 'ringing', party: 'agent' } : {};
  if (type === 'target_cancelled') return isTarget && view.state === 'ringing' ? { state: 'none' } : {};
  if (type === 'transfer_failed') return movedTo === number ? { state: 'none' } : {};
  if (type === 'transfer_completed') {
    return view.party === 'agent' && view.state === 'talking' && movedTo !== number ? { state: 'over' } : {};
  }
  if (type === 'ringing' && direction === 'outbound') {
    if (party === 'agent' && agent === number) return { state: 'ringing', party: 'agent' };
    return party === 'customer' && to === number ? { state: 'ringing', party: 'customer' } : {};
  }
  const isConnected = view.state === 'calling' && (type === 'answered' || HEARD.has(type));
  const isAnswered = type === 'answered' && answeredBy === number;
  return {
    ...((isConnected || isAnswered) && { state: 'talking' as const }),
    ...(type === 'voicemail_started' && view.party === 'customer' && { isAtVoicemail: true }),
  };
}
