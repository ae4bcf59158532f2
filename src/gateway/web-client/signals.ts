/** Between processes, over the bus: "something about this web client has changed, look again". It says no more than that. */
import type { Context } from '../../context.ts';
import { type WebClientName, webClientOfSignal } from '../../domain/voice/index.ts';

const CHANNEL = 'web_clients';

/** Passes what this process does to web clients on to all processes, itself included. */
export function passOnWebClientSignals({ db, bus }: Pick<Context, 'db' | 'bus'>): void {
  db.onSignal((signal) => {
    const name = webClientOfSignal(signal);
    if (name !== undefined) bus.publish(CHANNEL, `${name.ledgerId}:${name.webClientId}`);
  });
}

export function onWebClientSignal(bus: Context['bus'], listener: (webClient: WebClientName) => void): void {
  bus.subscribe(CHANNEL, (payload) => {
    const [ledgerId, webClientId] = payload.split(':', 2) as [string, string];
    listener({ ledgerId: Number(ledgerId), webClientId });
  });
}
