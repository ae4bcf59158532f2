import type { Translation } from '@dialplane/i18n';
import type { en } from './voicemails.en.ts';

/** The texts in Spanish. */
export const es = (): Translation<ReturnType<typeof en>> => ({
  voicemails: {
    voicemails: 'Mensajes de voz',
    whatCallersSaid: 'Lo que dijeron quienes llamaron después del tono, lo más reciente primero.',
    noVoicemailsYet: 'Todavía no hay mensajes de voz',
    tenantNoVoicemails: 'Esta empresa no tiene mensajes de voz',
    callerLeavesOne:
      'Quien llama deja uno cuando nadie contesta y el enrutamiento del número tiene buzón de voz, o fuera del horario.',
    voicemailOf: (person) => `Mensaje de voz de ${person}`,
    noTranscript: 'No tiene transcripción.',
    theCall: 'La llamada',
    theConversation: 'La conversación',
    deleteTheVoicemail: 'Eliminar el mensaje de voz',
    voicemailDeleted: 'El mensaje de voz se eliminó.',
    audioTranscriptDeleted: 'Su audio y su transcripción se eliminan para siempre. La llamada y sus horas se quedan.',
  },
});
