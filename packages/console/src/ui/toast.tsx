import { X } from 'lucide-react';
import { useCallback, useEffect, useState, useSyncExternalStore } from 'react';
import { classes } from '../lib/classes.ts';
import { texts } from '../texts/ui.ts';
import { Button, IconButton } from './button.tsx';
import css from './toast.module.css';

const t = texts.toast;

type Said = { readonly id: number; readonly sentence: string };
/** A state of the whole console, with what the person can do about it. */
type Lasting = {
  readonly sentence: string;
  readonly action?: { readonly label: string; readonly onPress: () => void };
};
type Shown = { readonly said: readonly Said[]; readonly lasting: Lasting | null };

const SHOWN_MS = 6_000;
const SHOWN_MAX = 3;

const NONE: Shown = { said: [], lasting: null };

let shown = NONE;
let lastId = 0;
/** The regions that the page has, the uppermost last. It shows the messages, and no other one. */
let regions: readonly symbol[] = [];
const listeners = new Set<() => void>();

function notify(): void {
  for (const listener of listeners) listener();
}

function change(next: Partial<Shown>): void {
  shown = { ...shown, ...next };
  notify();
}

const unsay = (id: number) => change({ said: shown.said.filter((each) => each.id !== id) });

/** Shows a message about a finished action for some seconds, also to screen readers. */
export function say(sentence: string): void {
  lastId += 1;
  const id = lastId;
  change({ said: [...shown.said, { id, sentence }].slice(-SHOWN_MAX) });
  setTimeout(() => unsay(id), SHOWN_MS);
}

/** Shows a message until it is replaced; null removes it. */
export const showLasting = (lasting: Lasting | null): void => change({ lasting });

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Returns the messages to show in a region: none while a window above it has a region. */
function useShown(): Shown {
  const [region] = useState(() => Symbol('region'));
  useEffect(() => {
    regions = [...regions, region];
    notify();
    return () => {
      regions = regions.filter((each) => each !== region);
      notify();
    };
  }, [region]);
  return useSyncExternalStore(subscribe, () => (regions.at(-1) === region ? shown : NONE));
}

/**
 * The region for short messages. Each page and each window above it has one from the start, because a screen reader
 * announces changes only in a region that exists.
 */
export function Toasts({ className = '' }: { className?: string | undefined }) {
  const { said, lasting } = useShown();
  return (
    <div role="status" aria-live="polite" className={className}>
      {lasting !== null && (
        <div className={classes(css.toast, css.lasting)}>
          <span>{lasting.sentence}</span>
          {lasting.action !== undefined && (
            <Button small onPress={lasting.action.onPress}>
              {lasting.action.label}
            </Button>
          )}
        </div>
      )}
      {said.map(({ id, sentence }) => (
        <div key={id} className={css.toast}>
          <span>{sentence}</span>
          <IconButton label={t.dismiss} small onPress={() => unsay(id)}>
            <X />
          </IconButton>
        </div>
      ))}
    </div>
  );
}

/**
 * The region of the page. It covers no button: the frame leaves space for it by the CSS property `--toasts`, the height
 * of the region.
 */
export function PageToasts() {
  const measure = useCallback((region: HTMLElement | null) => {
    if (region === null) return;
    const { style } = document.documentElement;
    const observer = new ResizeObserver(() => style.setProperty('--toasts', `${region.offsetHeight}px`));
    observer.observe(region);
    return () => {
      observer.disconnect();
      style.removeProperty('--toasts');
    };
  }, []);
  return (
    <div ref={measure} className={css.page}>
      <Toasts />
    </div>
  );
}
