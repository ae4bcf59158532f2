/** The tables in Spanish, by group. */
import { es as overview } from './overview.es.ts';
import { es as users } from './users.es.ts';
import { es as voicemails } from './voicemails.es.ts';
import { es as webClients } from './web-clients.es.ts';
import { es as webhooks } from './webhooks.es.ts';

export const es = {
  overview,
  users,
  voicemails,
  webClients,
  webhooks,
};
