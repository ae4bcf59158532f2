import type { Translation } from '@dialplane/i18n';
import type { en } from './recordings.en.ts';

/** The texts in Spanish. */
export const es = (): Translation<ReturnType<typeof en>> => ({
  list: {
    recordings: 'Grabaciones',
    audioRecordedCalls: 'El audio de las llamadas grabadas y de los mensajes de voz, lo más reciente primero.',
    made: 'Creación',
    tenant: 'Empresa',
    length: 'Duración',
    announcedToBoth: 'Se avisó a ambas partes',
    call: 'Llamada',
    theCall: 'La llamada',
    noRecordingsYet: 'Todavía no hay grabaciones',
    tenantNoRecordings: 'Esta empresa no tiene grabaciones',
    callRecordedIf: 'Una llamada se graba si su solicitud o su enrutamiento lo dice. Ambas partes oyen antes un aviso.',
    yes: 'sí',
    no: 'no',
  },
  recording: {
    recording: 'Grabación',
    openTheCall: 'Abrir la llamada',
    deleteTheRecording: 'Eliminar la grabación',
    recordingDeleted: 'La grabación se eliminó.',
    audioDeletedGood:
      'Su audio se elimina para siempre, y el mensaje de voz al que pertenece. La llamada, sus horas y su consumo se quedan.',
    audio: 'Audio',
    recordingCall: 'Grabación de la llamada',
    tenant: 'Empresa',
    length: 'Duración',
    announcedBothParties: 'Se avisó a ambas partes',
    id: 'Id',
  },
});
