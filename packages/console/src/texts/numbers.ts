import { en } from './numbers.en.ts';
import { textsOf } from './texts.ts';

export const texts = textsOf('numbers', en);
