import { en } from './messages.en.ts';
import { textsOf } from './texts.ts';

export const texts = textsOf('messages', en);
