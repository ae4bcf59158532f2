import { CLOSE, closeSocket } from '../../http/sockets/close-codes.ts';
import type { ComposeOptions, Product } from '../compose.ts';
import type { CellSet } from './cell-set.ts';

type Places = {
  /** The product on the first database; undefined until it is made. */
  readonly first: Pick<Product, 'logInWebClient'> | undefined;
  /** Undefined until they are made. */
  readonly cells: Pick<CellSet, 'list' | 'numberOf'> | undefined;
};

/**
 * Lets each database log in its web clients, whichever product has their sockets. So the address of a web client stays
 * valid after its account has moved. If the cell of a client is not open, the client is asked to try again later.
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
