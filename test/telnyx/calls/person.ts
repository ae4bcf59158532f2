/** How a person behaves. What is absent is as usual. */
export type Person = {
  readonly phoneNumber: string;
  /** False: the phone rings, and nobody answers. */
  readonly answers?: boolean;
  readonly answersAfterMs?: number;
  /** A call is refused at once. */
  readonly refuses?: 'user_busy' | 'call_rejected' | 'not_found';
  readonly hangsUpAfterMs?: number;
  /** The keys that are pressed after something that this person alone has heard; none if empty. */
  readonly presses?: string;
};
