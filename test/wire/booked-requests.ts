/** Orders and dials of the wire carrier, which are written to the book before they are sent. */
import type { Book } from '../../src/carriers/book/book.ts';
import type { Carrier } from '../../src/carriers/ports/carrier.ts';
import type { NumbersPort, OrderedNumber } from '../../src/carriers/ports/numbers.ts';
import type { Found } from '../../src/carriers/ports/outcome.ts';
import type { VoiceCommand, VoicePort } from '../../src/carriers/ports/voice.ts';

type Options = {
  readonly book: Book;
  /** False if the carrier cannot report the outcome of a request. Only the book has it then, so a person decides. */
  readonly isAskable: boolean;
};

/** Returns the carrier with its orders and dials in the book. */
export function bookRequests(carrier: Carrier, options: Options): Carrier {
  const { numbers, voice } = carrier as Required<Carrier>;
  return { ...carrier, numbers: bookOrders(numbers, options), voice: bookDials(voice, options) };
}

function bookOrders(numbers: NumbersPort, { book, isAskable }: Options): NumbersPort {
  const operation = 'order';
  return {
    ...numbers,
    order: (ledger, order) => book.ask({ ledger, operation, ref: order.ref }, () => numbers.order(ledger, order)),
    findOrder: async (ledger, order) => {
      const request = { operation, ref: order.ref };
      const booked = await book.find<Partial<OrderedNumber>>(request);
      // A person may settle the order as accepted without the details of the ordered number.
      const isDetailMissing = booked.found === 'accepted' && booked.carrierRef === undefined;
      if (!isAskable && !isDetailMissing) return booked as Found<OrderedNumber>;
      const found = await numbers.findOrder(ledger, order);
      await book.settle(request, found);
      return found;
    },
  };
}

function bookDials(voice: VoicePort, { book, isAskable }: Options): VoicePort {
  const operation = 'dial';
  const isDial = ({ instruction }: VoiceCommand) => instruction.do === 'dial';
  return {
    ...voice,
    dispatch: (ledger, command) => {
      const send = () => voice.dispatch(ledger, command);
      return isDial(command) ? book.ask({ ledger, operation, ref: command.commandRef }, send) : send();
    },
    findCommand: async (ledger, command) => {
      if (!isDial(command)) return await voice.findCommand(ledger, command);
      const request = { operation, ref: command.commandRef };
      if (!isAskable) return await book.find(request);
      const found = await voice.findCommand(ledger, command);
      await book.settle(request, found);
      return found;
    },
  };
}
