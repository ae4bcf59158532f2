import { en } from './opt-outs.en.ts';
import { textsOf } from './texts.ts';

export const texts = textsOf('optOuts', en);
