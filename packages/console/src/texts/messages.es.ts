import type { Formats, Translation } from '@dialplane/i18n';
import type { en } from './messages.en.ts';

/** The texts in Spanish. */
export const es = ({ plural }: Formats): Translation<ReturnType<typeof en>> => ({
  attempts: {
    accepted: 'aceptado',
    rejected: 'rechazado',
    notTaken: 'no aceptado',
    noAnswer: 'sin respuesta',
    carrierCouldNot: 'No se pudo conectar con el operador',
    accountCarrierDoes: 'La cuenta en el operador no lo permite',
    connectionCarrierDisabled: 'La conexión con el operador está desactivada',
    carrierDoesNot: 'El operador no lo acepta ahora',
    carrierConfirmedAttempt: 'El operador confirmó un intento cuya respuesta se había perdido',
    attemptsSend: 'Intentos de envío',
    attempt: 'Intento',
    why: 'Motivo',
    at: 'Hora',
  },
  list: {
    files: (count) => plural(count, { one: '1 archivo', other: `${count} archivos` }),
    texts: 'Mensajes',
    textsAllConversations:
      'Mensajes de todas las conversaciones, los más recientes primero. Los que tienen el estado “programado” esperan su hora.',
    writeAText: 'Escribir un mensaje',
    text: 'Mensaje',
    from: 'De',
    to: 'Para',
    tenant: 'Empresa',
    status: 'Estado',
    at: 'Hora',
    any: 'cualquiera',
    direction: 'Dirección',
    since: 'Desde',
    before: 'Antes de',
    noTextMatches: 'Ningún mensaje coincide',
    chooseAnotherStatus: 'Elija otro estado u otra hora.',
    noTextsYet: 'Todavía no hay mensajes',
    seeYou10: 'Nos vemos a las 10:30.',
    writeFirstOne: 'Escriba el primero en la bandeja de entrada, o con la API.',
  },
  messageDetails: {
    textWillNot: 'El mensaje no se enviará.',
    status: 'Estado',
    from: 'De',
    to: 'Para',
    groupTextAlso: 'Mensaje grupal, también para',
    tenant: 'Empresa',
    segments: 'Segmentos',
    accepted: 'Aceptado',
    goesOut: 'Se envía',
    request: 'Solicitud',
    id: 'Id',
    copyTheId: 'Copiar el id',
    textFilesWere: 'Su texto y sus archivos se eliminaron.',
    statusHistory: 'Historial de estados',
    at: 'Hora',
    events: 'Eventos',
    conversation: 'Conversación',
    cancelTheText: 'Cancelar el mensaje',
    redactTheText: 'Borrar el contenido',
    textRedacted: 'El contenido del mensaje se borró.',
    bodyFilesDeleted:
      'Su texto y sus archivos se eliminan para siempre, también en sus eventos. Se quedan los números, las horas, el estado y el consumo. Un mensaje que no ha salido se envía de todos modos.',
  },
  message: {
    text: 'Mensaje',
  },
  sentBy: {
    notInLog:
      'No está en el registro de solicitudes: es anterior al registro o el servicio lo envió como respuesta automática.',
  },
  whyFailed: {
    whyItFailed: 'Por qué falló',
    theCarrierSays: 'El operador dice: <0/> <1/>',
    about: 'Sobre <0/>',
  },
});
