import { en } from './app.en.ts';
import { textsOf } from './texts.ts';

export const texts = textsOf('app', en);
