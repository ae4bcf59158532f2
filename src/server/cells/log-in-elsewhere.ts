import { CLOSE, closeSocket } from '../../http/sockets/close-codes.ts';
import type { ComposeOptions } from '../compose.ts';
import type { CellSet } from './cell-set.ts';

/** Lets cells log in their web clients. A client of a cell that is not open is asked to try again later. */
export function logInByCell(cells: Pick<CellSet, 'list' | 'numberOf'>): NonNullable<ComposeOptions['logInElsewhere']> {
  return (ledgerId) => {
    const cell = cells.list().find(({ number }) => number === cells.numberOf(ledgerId));
    if (cell === undefined) return undefined;
    return cell.product?.logInWebClient() ?? (async (webSocket) => void closeSocket(webSocket, CLOSE.unchecked));
  };
}
