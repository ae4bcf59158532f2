// own process: every harness of it has its account in a cell.
/**
 * Files of other folders that meet what differs in a cell: ids, paths, links, sockets and lists. The account of each
 * test is in the cell of an installation. front.test.ts tests which database a key leads to.
 */
process.env['DIALPLANE_TEST_CELL'] = '1';

await import('../contract/event-data.test.ts');
await import('../scenarios/journey.test.ts');

export {};
