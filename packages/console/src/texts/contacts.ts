import { en } from './contacts.en.ts';
import { textsOf } from './texts.ts';

export const texts = textsOf('contacts', en);
