import { en } from './calls.en.ts';
import { textsOf } from './texts.ts';

export const texts = textsOf('calls', en);
