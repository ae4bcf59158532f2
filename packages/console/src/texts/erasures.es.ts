import type { Translation } from '@dialplane/i18n';
import type { en } from './erasures.en.ts';

/** The texts in Spanish. */
export const es = (): Translation<ReturnType<typeof en>> => ({
  erasePerson: {
    erasureBegun: 'El borrado comenzó.',
    erase: (externalNumber) => `¿Borrar ${externalNumber}?`,
    eraseThePerson: 'Borrar a la persona',
    textsConversationsNotes:
      'Se eliminan para siempre los mensajes, las conversaciones, las notas, lo dicho en llamadas, las grabaciones, los mensajes de voz y los datos de eventos de esta persona y empresa. Esto no se puede deshacer.',
    optOutsUsage: 'Se quedan las bajas, el consumo y el registro de auditoría.',
    eraseAPerson: 'Borrar a una persona',
    continue: 'Continuar',
    theirNumber: 'Su número',
  },
  list: {
    counts: {
      messages: (count) => `${count} mensajes`,
      conversations: (count) => `${count} conversaciones`,
      notes: (count) => `${count} notas`,
      contacts: (count) => `${count} contactos`,
      calls: (count) => `${count} llamadas`,
      recordings: (count) => `${count} grabaciones`,
      voicemails: (count) => `${count} mensajes de voz`,
      opt_in_submissions: (count) => `${count} envíos de formularios`,
      events: (count) => `${count} eventos`,
    },
    eraseAPerson: 'Borrar a una persona',
    erasures: 'Borrados',
    peopleWhoWere: 'Personas que se quitaron de una empresa. Un borrado ya no nombra a la persona cuando terminó.',
    askedFor: 'Solicitado',
    tenant: 'Empresa',
    status: 'Estado',
    removed: 'Se quitaron',
    completed: 'Terminado',
    noPersonWas: 'No se borró a ninguna persona',
    noPersonTenant: 'No se borró a ninguna persona de esta empresa',
    erasureRemovesTexts:
      'Un borrado quita los mensajes, las llamadas y el audio de una persona. Se quedan las bajas y el consumo.',
  },
});
