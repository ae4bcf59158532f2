import { createContext } from 'react';

/** Lets a form keep its window open when the person clicks outside. Null if the form is not in a window. */
export const DialogHoldContext = createContext<((isHeld: boolean) => void) | null>(null);
