import { CLOSE, closeSocket } from '../../http/sockets/close-codes.ts';
import { cellNumberOf } from '../../lib/cells.ts';
import type { ComposeOptions } from '../compose.ts';
import type { Cell } from './cell.ts';

/** Lets cells log in their web clients. A client of a cell that is not open is asked to try again later. */
export function logInByCell(cells: { list(): readonly Cell[] }): NonNullable<ComposeOptions['logInElsewhere']> {
  return (ledgerId) => {
    const cell = cells.list().find(({ number }) => number === cellNumberOf(ledgerId));
    if (cell === undefined) return undefined;
    return cell.product?.logInWebClient() ?? (async (webSocket) => void closeSocket(webSocket, CLOSE.unchecked));
  };
}
