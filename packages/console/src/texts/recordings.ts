import { en } from './recordings.en.ts';
import { textsOf } from './texts.ts';

export const texts = textsOf('recordings', en);
