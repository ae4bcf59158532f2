import { fromApi, Realtime } from '@dialplane/sdk/realtime';
import type { Event } from '@dialplane/sdk/resources';
import { useQueryClient } from '@tanstack/react-query';
import { createContext, type ReactNode, useContext, useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { apiOf } from '../api/client.ts';
import { ledgerKey } from '../api/ledger-key.ts';
import { CONSOLE_URL, PREFIX } from '../lib/location.ts';
import { useLedger } from './ledger.ts';

export type LiveState = 'connecting' | 'connected' | 'disconnected';

/** The events since the page was opened, newest first, at most {@link KEPT_MAX}. */
export type Live = {
  readonly state: LiveState;
  subscribe(listener: (event: Event) => void): () => void;
  recent(): readonly Event[];
};

const KEPT_MAX = 200;
/** Events within this time cause one new reading. */
const GATHER_MS = 250;

/** The lists that an event changes, by the first word of its type. */
const CHANGED: Readonly<Record<string, readonly string[]>> = {
  message: ['messages', 'conversations', 'timeline', 'opt_out_candidates'],
  call: ['calls', 'conversations', 'timeline'],
  conversation: ['conversations', 'timeline'],
  voicemail: ['voicemails', 'conversations', 'timeline', 'calls'],
  recording: ['recordings', 'calls'],
  opt_out: ['opt_outs', 'opt_out_candidates', 'conversations'],
  opt_in: ['opt_in_forms'],
  brand: ['brands'],
  campaign: ['campaigns', 'phone_numbers'],
  port_in: ['port_ins', 'phone_numbers'],
  number: ['phone_numbers'],
  webhook_endpoint: ['webhook_endpoints'],
  balance: ['balance'],
  emergency_call: ['emergency_calls'],
};

const FOLLOWED = ['events', ...new Set(Object.values(CHANGED).flat())];

const LiveContext = createContext<Live | undefined>(undefined);

/** Keeps the event socket of the ledger open, and reads the changed data again after each event. */
export function LiveProvider({ children }: { children: ReactNode }) {
  const { accountId, mode } = useLedger();
  const client = useQueryClient();
  const [state, setState] = useState<LiveState>('connecting');
  const listeners = useRef(new Set<(event: Event) => void>());
  const kept = useRef<readonly Event[]>([]);

  useEffect(() => {
    const ledger = { accountId, mode };
    const waiting = new Set<string>();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const readAgain = () => {
      timer = undefined;
      for (const resource of waiting) void client.invalidateQueries({ queryKey: ledgerKey(ledger, resource) });
      waiting.clear();
    };
    const changed = (resources: readonly string[]) => {
      for (const resource of resources) waiting.add(resource);
      timer ??= setTimeout(readAgain, GATHER_MS);
    };
    const source = fromApi(apiOf(ledger));
    const token = async () => ({ ...(await source.token()), url: socketUrl() });
    const realtime = new Realtime({ ...source, token });
    realtime.on('event', (event) => {
      kept.current = [event, ...kept.current].slice(0, KEPT_MAX);
      changed(['events', ...(CHANGED[event.type.split('.')[0] ?? ''] ?? [])]);
      for (const listener of listeners.current) listener(event);
    });
    let wasOpen = false;
    realtime.on('open', () => {
      setState('connected');
      // Events between the first read of the page and the opening of the socket did not arrive over the socket.
      if (!wasOpen) changed(FOLLOWED);
      wasOpen = true;
    });
    realtime.on('disconnected', () => setState('disconnected'));
    realtime.on('closed', () => setState('disconnected'));
    realtime.on('gap', () => void client.invalidateQueries({ queryKey: ledgerKey(ledger) }));
    realtime.connect();
    return () => {
      clearTimeout(timer);
      realtime.close();
      kept.current = [];
    };
  }, [accountId, mode, client]);

  const live: Live = {
    state,
    subscribe: (listener) => {
      listeners.current.add(listener);
      return () => listeners.current.delete(listener);
    },
    recent: () => kept.current,
  };
  return <LiveContext value={live}>{children}</LiveContext>;
}

/** The event socket is on the console's own origin, even if the server has another public address. */
function socketUrl(): string {
  const url = new URL(`${PREFIX}/v1/realtime`, CONSOLE_URL);
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
  return url.href;
}

export function useLive(): Live {
  const live = useContext(LiveContext);
  if (live === undefined) throw new Error('useLive needs a page of a ledger');
  return live;
}

/** Returns the events since the page was opened, newest first, and follows new ones. */
export function useRecentEvents(): readonly Event[] {
  const live = useLive();
  return useSyncExternalStore(live.subscribe, live.recent);
}
