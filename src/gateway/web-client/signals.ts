/** Between processes, over the bus: "something about this seat has changed, look again". It says no more than that. */
import type { Context } from '../../context.ts';
import { type SeatName, seatOfSignal } from '../../domain/voice/index.ts';

const CHANNEL = 'seats';

/** Passes what this process does to seats on to all processes, itself included. */
export function passOnSeatSignals({ db, bus }: Pick<Context, 'db' | 'bus'>): void {
  db.onSignal((signal) => {
    const name = seatOfSignal(signal);
    if (name !== undefined) bus.publish(CHANNEL, `${name.ledgerId}:${name.webClientId}`);
  });
}

export function onSeatSignal(bus: Context['bus'], listener: (seat: SeatName) => void): void {
  bus.subscribe(CHANNEL, (payload) => {
    const [ledgerId, webClientId] = payload.split(':', 2) as [string, string];
    listener({ ledgerId: Number(ledgerId), webClientId });
  });
}
