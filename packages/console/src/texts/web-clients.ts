import { textsOf } from './texts.ts';
import { en } from './web-clients.en.ts';

export const texts = textsOf('webClients', en);
