/** A call as one person on it perceives it. It is computed from the log of the call. */
export type Call = {
  readonly id: string;
  readonly direction: 'inbound' | 'outbound';
  readonly from: string;
  readonly to: string;
  readonly caller_name: string | null;
  readonly connect_to: string | null;
  readonly status: string;
  readonly outcome: string | null;
  readonly events: readonly Entry[];
};

type Entry = { readonly type: string; readonly detail: Readonly<Record<string, unknown>> };

/** `none`: the person is not on the call, and may still be rung later. */
export type View = {
  readonly state: 'none' | 'calling' | 'ringing' | 'talking' | 'over';
  readonly party: 'customer' | 'agent';
  /** How many times the person was asked for digits. */
  readonly gathers: number;
  readonly isRecorded: boolean;
};

const OVER: ReadonlySet<string> = new Set(['completed', 'failed', 'missed']);
/** From these entries on, a person or a machine speaks to the caller. */
const ANSWERS: ReadonlySet<string> = new Set([
  'answered',
  'bridged',
  'menu_choice',
  'gather_started',
  'voicemail_started',
]);

/** True for a call that has ended. */
export function isOver({ status }: Pick<Call, 'status'>): boolean {
  return OVER.has(status);
}

/** Returns the call as the person with this number perceives it. */
export function viewOf(call: Call, number: string): View {
  let view: View = { state: 'none', party: 'agent', gathers: 0, isRecorded: false };
  for (const entry of call.events) view = { ...view, ...changeOf(call, number, { view, entry }) };
  return isOver(call) ? { ...view, state: 'over' } : view;
}

function changeOf(call: Call, number: string, { view, entry }: { view: View; entry: Entry }): Partial<View> {
  const { type, detail } = entry;
  const isCaller = call.direction === 'inbound' && call.from === number;
  switch (type) {
    case 'initiated':
      return isCaller ? { state: 'calling', party: 'customer' } : {};
    case 'ringing':
      return ringsAt(call, number, detail['party']);
    case 'target_ringing':
      return detail['target'] === number ? { state: 'ringing', party: 'agent' } : {};
    case 'target_cancelled':
      return detail['target'] === number ? { state: 'over' } : {};
    case 'transfer_completed':
      return view.party === 'agent' && view.state === 'talking' && detail['to'] !== number ? { state: 'over' } : {};
    case 'transfer_failed':
      return detail['to'] === number ? { state: 'over' } : {};
  }
  const isAnswer = detail['answered_by'] === number || (view.state === 'calling' && ANSWERS.has(type));
  return {
    ...(isAnswer && { state: 'talking' as const }),
    ...(view.party === 'customer' && type === 'gather_started' && { gathers: view.gathers + 1 }),
    ...(view.party === 'customer' && type === 'voicemail_started' && { isRecorded: true }),
  };
}

/** A call that the API placed rings the agent first, and then the customer. */
function ringsAt({ connect_to, to, direction }: Call, number: string, party: unknown): Partial<View> {
  if (direction !== 'outbound') return {};
  if (party === 'agent' && connect_to === number) return { state: 'ringing', party };
  return party === 'customer' && to === number ? { state: 'ringing', party } : {};
}
