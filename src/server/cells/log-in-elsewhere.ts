import { CLOSE, closeSocket } from '../../http/sockets/close-codes.ts';
import type { ComposeOptions, Product } from '../compose.ts';
import type { CellSet } from './cell-set.ts';

type Places = {
  /** The product on the first database; undefined before it is made. */
  readonly first: Pick<Product, 'logInWebClient'> | undefined;
  /** Undefined before they are made. */
  readonly cells: Pick<CellSet, 'list' | 'numberOf'> | undefined;
};

/**
 * Lets the database of a web client log it in, whichever product has the socket. So the address of a web client stays
 * valid after a move of its account. If the client's cell is not open, the client is told to try again later.
 */
export function logInByPlace(places: Places): NonNullable<ComposeOptions['logInElsewhere']> {
  return (ledgerId) => {
    const { first, cells } = places;
    const number = cells?.numberOf(ledgerId) ?? 0;
    if (number === 0) return first?.logInWebClient();
    const cell = cells?.list().find((each) => each.number === number);
    if (cell === undefined) return undefined;
    return cell.product?.logInWebClient() ?? (async (webSocket) => void closeSocket(webSocket, CLOSE.unchecked));
  };
}
