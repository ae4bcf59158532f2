/** Numbers with a fixed behaviour, for tests. */
export const MAGIC = {
  /** Texts are accepted and then not delivered. */
  deliveryFails: '+15005550001',
  /** Replies STOP to the first text. */
  repliesStop: '+15005550002',
  /** Every attempt to send a text has the outcome `unavailable`. */
  sendFails: '+15005550009',
  /** Cannot be ported in: the losing carrier does not release it. */
  notPortable: '+15005550004',
  /** A number whose port-in needs a correction after the first submission. */
  portNeedsAction: '+15005550005',
  /** Rings and is never answered. */
  neverAnswers: '+15005550003',
  /** Answers, and presses no digits at a prompt. */
  pressesNothing: '+15005550007',
  /** Calls with this party have no media stream. */
  streamFails: '+15005550008',
  /** A machine answers. It plays its greeting and a beep, and then records. */
  machine: '+15005550020',
  /** A machine without a beep. */
  machineWithoutBeep: '+15005550021',
  fax: '+15005550022',
  /** Answers and says nothing. */
  silent: '+15005550023',
  /** The losing carrier of this number differs from that of all other numbers. */
  portedFromElsewhere: '+15005550016',
} as const;

const MACHINES: ReadonlySet<string> = new Set([MAGIC.machine, MAGIC.machineWithoutBeep, MAGIC.fax, MAGIC.silent]);

/** True for a number that no person answers. Such a party presses no digits, and makes no tone while it is silent. */
export function isMachine(address: string): boolean {
  return MACHINES.has(address);
}
