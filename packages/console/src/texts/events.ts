import { en } from './events.en.ts';
import { textsOf } from './texts.ts';

export const texts = textsOf('events', en);
