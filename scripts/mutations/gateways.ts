import type { Mutation } from './mutation.ts';

/** Gateways and the audio of web clients. */
export const GATEWAYS: readonly Mutation[] = [
  {
    guarantee: 'Agents who talk before a transfer do not hear the customer',
    file: 'src/gateway/web-client/audio-authorizer.ts',
    from: "{ into: ['agent'], isApart: true }",
    to: "{ into: ['agent'], isApart: false }",
    tests: ['test/scenarios/audio-moved.test.ts'],
  },
  {
    guarantee: 'A listener does not hear a customer on hold',
    file: 'src/gateway/web-client/audio-authorizer.ts',
    from: 'isApart: call.isHeld };',
    to: 'isApart: false };',
    tests: ['test/scenarios/audio-moved.test.ts'],
  },
  {
    guarantee: 'Calls whose gateway has stopped have another one at once',
    file: 'src/server/parts/open-gateway.ts',
    from: 'await removeNode(db, nodeId).catch(',
    to: 'await Promise.resolve().catch(',
    tests: ['test/scenarios/audio-moved.test.ts'],
  },
  {
    guarantee: 'Marks of a flood on an audio socket are not all answered',
    file: 'src/gateway/media/party-socket.ts',
    from: 'if (answer !== undefined && budget.takeAnswer())',
    to: 'if (answer !== undefined)',
    tests: ['src/gateway/web-client/audio-socket.test.ts'],
  },
];
