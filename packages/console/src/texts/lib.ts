import { en } from './lib.en.ts';
import { textsOf } from './texts.ts';

export const texts = textsOf('lib', en);
