import { en } from './exports.en.ts';
import { textsOf } from './texts.ts';

export const texts = textsOf('exports', en);
