import type { Formats, Translation } from '@dialplane/i18n';
import type { en } from './erasures.en.ts';

/** The texts in Spanish. */
export const es = ({ plural }: Formats): Translation<ReturnType<typeof en>> => ({
  erasePerson: {
    erasureBegun: 'El borrado comenzó.',
    erase: (externalNumber) => `¿Borrar ${externalNumber}?`,
    eraseThePerson: 'Borrar a la persona',
    textsConversationsNotes:
      'Se eliminan para siempre los mensajes, las conversaciones, las notas, lo dicho en llamadas, las grabaciones, los mensajes de voz y los datos de eventos de esta persona y empresa. Esto no se puede deshacer.',
    optOutsUsage: 'Se quedan las bajas, el consumo y el registro de auditoría.',
    eraseAPerson: 'Borrar a una persona',
    continue: 'Continuar',
    theirNumber: 'Número de la persona',
  },
  list: {
    counts: {
      messages: (count) => plural(count, { one: '1 mensaje', other: `${count} mensajes` }),
      conversations: (count) => plural(count, { one: '1 conversación', other: `${count} conversaciones` }),
      notes: (count) => plural(count, { one: '1 nota', other: `${count} notas` }),
      contacts: (count) => plural(count, { one: '1 contacto', other: `${count} contactos` }),
      calls: (count) => plural(count, { one: '1 llamada', other: `${count} llamadas` }),
      recordings: (count) => plural(count, { one: '1 grabación', other: `${count} grabaciones` }),
      voicemails: (count) => plural(count, { one: '1 mensaje de voz', other: `${count} mensajes de voz` }),
      opt_in_submissions: (count) =>
        plural(count, { one: '1 envío de formulario', other: `${count} envíos de formularios` }),
      events: (count) => plural(count, { one: '1 evento', other: `${count} eventos` }),
    },
    eraseAPerson: 'Borrar a una persona',
    erasures: 'Borrados',
    peopleWhoWere: 'Personas cuyos datos se borraron de una empresa. Un borrado terminado ya no nombra a la persona.',
    askedFor: 'Solicitado',
    tenant: 'Empresa',
    status: 'Estado',
    removed: 'Datos borrados',
    completed: 'Terminado',
    noPersonWas: 'No se borró a ninguna persona',
    noPersonTenant: 'No se borró a ninguna persona de esta empresa',
    erasureRemovesTexts:
      'Un borrado elimina los mensajes, las llamadas y el audio de una persona. Se quedan las bajas y el consumo.',
  },
});
