/** Numbers whose owner always behaves in one way. */
export const MAGIC = {
  /** The text is taken and then cannot be delivered. */
  deliveryFails: '+15005550001',
  /** The person answers STOP to the first text. */
  repliesStop: '+15005550002',
  /** The carrier cannot take the text, however often it is tried. */
  sendFails: '+15005550009',
  /** The losing carrier does not let it go. */
  notPortable: '+15005550004',
  /** A port-in of it needs a correction after its first submission. */
  portNeedsAction: '+15005550005',
  /** Rings and rings, and is never answered. */
  neverAnswers: '+15005550003',
  /** Listens to a prompt and presses nothing. */
  pressesNothing: '+15005550007',
  /** A call with this party on it gives no media stream. */
  streamFails: '+15005550008',
  /** With another losing carrier than every other number. */
  portedFromElsewhere: '+15005550016',
} as const;
