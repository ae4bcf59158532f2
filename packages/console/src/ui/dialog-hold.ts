import { createContext } from 'react';

/** How a form holds its window: a click outside does not close it then. Null where there is no window. */
export const DialogHoldContext = createContext<((isHeld: boolean) => void) | null>(null);
