import { en } from './sessions.en.ts';
import { textsOf } from './texts.ts';

export const texts = textsOf('sessions', en);
