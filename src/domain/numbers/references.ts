import type { NumberReferences } from './phone-numbers/references.ts';

/** What the fields of a number may name: each slice that numbers refer to has its finder here. */
export const NUMBER_REFERENCES: NumberReferences = {};
