import { createContext } from 'react';

/** Lets a form keep its window open when the person clicks outside. Null without a window. */
export const DialogHoldContext = createContext<((isHeld: boolean) => void) | null>(null);
