/** The tables in Spanish, by group. */
import { es as numbers } from './numbers.es.ts';
import { es as optOuts } from './opt-outs.es.ts';
import { es as overview } from './overview.es.ts';
import { es as phones } from './phones.es.ts';
import { es as portIns } from './port-ins.es.ts';
import { es as queues } from './queues.es.ts';
import { es as recordings } from './recordings.es.ts';
import { es as requests } from './requests.es.ts';
import { es as routing } from './routing.es.ts';
import { es as sessions } from './sessions.es.ts';
import { es as signIn } from './sign-in.es.ts';
import { es as sipPhones } from './sip-phones.es.ts';
import { es as templates } from './templates.es.ts';
import { es as tenants } from './tenants.es.ts';
import { es as usage } from './usage.es.ts';
import { es as users } from './users.es.ts';
import { es as voicemails } from './voicemails.es.ts';
import { es as webClients } from './web-clients.es.ts';
import { es as webhooks } from './webhooks.es.ts';

export const es = {
  numbers,
  optOuts,
  overview,
  phones,
  portIns,
  queues,
  recordings,
  requests,
  routing,
  sessions,
  signIn,
  sipPhones,
  templates,
  tenants,
  usage,
  users,
  voicemails,
  webClients,
  webhooks,
};
