/**
 * What a person does depends on the phone number, and on the control `person`. Area codes are free to choose.
 *
 * | Number | What the person does |
 * | --- | --- |
 * | +1 xxx 554 2001 | is busy |
 * | +1 xxx 554 2002 | rejects the call |
 * | +1 xxx 554 2003 | never answers |
 * | +1 xxx 554 2004 | cannot be reached: the number is out of service |
 * | +1 xxx 554 2005 | answers after 5 s |
 * | +1 xxx 554 2006 | hangs up 2 s after the answer |
 * | +1 xxx 554 2007 | presses no digits |
 * | +1 xxx 554 2008 | is a machine: a greeting of 6 s, a beep after it, and no digits |
 * | +1 xxx 554 2009 | is a fax |
 * | any other | answers after 0.3 s, stays, and presses 1 after a prompt for a key (`presses`) |
 */

export type Person = {
  /** How a called person reacts to the call. */
  answers: 'yes' | 'busy' | 'rejects' | 'unreachable' | 'never';
  /** From the dial to the answer; it rings from 50 ms on. */
  answersAfterMs: number;
  /** From the answer; null: the person stays. */
  hangsUpAfterMs: number | null;
  /** How long a caller waits for an answer. */
  waitsMs: number;
  /**
   * The digits that the person presses after a prompt for a key: a speech, or a file that only the called person hears.
   * Empty: none.
   */
  presses: string;
  /** How long the person talks after the answer, and after the beep before a recording. */
  saysMs: number;
  /** The kind of party that answers, for a call that detects it. */
  is: 'person' | 'machine' | 'fax';
  /** True: the answer has its sound (`answerFrames`), for a detector that hears the leg. */
  sounds: boolean;
};

const USUAL: Person = {
  answers: 'yes',
  answersAfterMs: 300,
  hangsUpAfterMs: null,
  waitsMs: 60_000,
  presses: '1',
  saysMs: 0,
  is: 'person',
  sounds: false,
};

/** A caller says something after the answer, and hangs up in the end. */
const CALLER: Partial<Person> = { saysMs: 3_000, hangsUpAfterMs: 15_000 };

const FIXED: Readonly<Record<string, Partial<Person>>> = {
  '2001': { answers: 'busy' },
  '2002': { answers: 'rejects' },
  '2003': { answers: 'never' },
  '2004': { answers: 'unreachable' },
  '2005': { answersAfterMs: 5_000 },
  '2006': { hangsUpAfterMs: 2_000 },
  '2007': { presses: '' },
  '2008': { presses: '', is: 'machine' },
  '2009': { presses: '', is: 'fax' },
};

/** The changes of people that the controls made, by phone number. */
type Changes = ReadonlyMap<string, Partial<Person>>;

const MAGIC = /^\+1\d{3}554(2\d{3})$/;

/** Returns the behaviour of the person at a number. */
export function personAt(people: Changes, phoneNumber: string, isCaller: boolean): Person {
  const fixed = FIXED[MAGIC.exec(phoneNumber)?.[1] ?? ''];
  // No telephone is registered at a SIP address.
  const sip = phoneNumber.startsWith('sip:') && ({ answers: 'unreachable' } as const);
  return { ...USUAL, ...(isCaller && CALLER), ...sip, ...fixed, ...people.get(phoneNumber) };
}
