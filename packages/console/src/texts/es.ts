/** The tables in Spanish, by group. */
import { es as accounts } from './accounts.es.ts';
import { es as api } from './api.es.ts';
import { es as app } from './app.es.ts';
import { es as callQueues } from './call-queues.es.ts';
import { es as calls } from './calls.es.ts';
import { es as clock } from './clock.es.ts';
import { es as compliance } from './compliance.es.ts';
import { es as connections } from './connections.es.ts';
import { es as contacts } from './contacts.es.ts';
import { es as e911 } from './e911.es.ts';
import { es as erasures } from './erasures.es.ts';
import { es as events } from './events.es.ts';
import { es as exports } from './exports.es.ts';
import { es as failing } from './failing.es.ts';
import { es as forms } from './forms.es.ts';
import { es as inbox } from './inbox.es.ts';
import { es as keys } from './keys.es.ts';
import { es as lib } from './lib.es.ts';
import { es as messages } from './messages.es.ts';
import { es as numbers } from './numbers.es.ts';
import { es as optOuts } from './opt-outs.es.ts';
import { es as overview } from './overview.es.ts';
import { es as parts } from './parts.es.ts';
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
import { es as ui } from './ui.es.ts';
import { es as usage } from './usage.es.ts';
import { es as users } from './users.es.ts';
import { es as voicemails } from './voicemails.es.ts';
import { es as webClients } from './web-clients.es.ts';
import { es as webhooks } from './webhooks.es.ts';

export const es = {
  accounts,
  api,
  app,
  callQueues,
  calls,
  clock,
  compliance,
  connections,
  contacts,
  e911,
  erasures,
  events,
  exports,
  failing,
  forms,
  inbox,
  keys,
  lib,
  messages,
  numbers,
  optOuts,
  overview,
  parts,
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
  ui,
  usage,
  users,
  voicemails,
  webClients,
  webhooks,
};
