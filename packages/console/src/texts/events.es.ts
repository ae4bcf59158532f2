import type { Translation } from '@dialplane/i18n';
import type { en } from './events.en.ts';

/** The texts in Spanish. */
export const es = (): Translation<ReturnType<typeof en>> => ({
  event: {
    eventWayAgain: 'El evento va en camino de nuevo.',
    event: 'Evento',
    sendAgain: 'Enviar de nuevo',
    resource: 'Recurso',
    at: 'Hora',
    sequenceResource: 'Secuencia del recurso',
    id: 'Id',
    envelope: 'Sobre',
    eventJson: 'El evento en JSON',
    sendEventAgain: 'Enviar el evento de nuevo',
    everyEndpointRegistered: 'Cada endpoint que está registrado para él lo recibe una vez más, con el mismo id.',
  },
  list: {
    events: 'Eventos',
    everythingHappenedLast:
      'Todo lo que pasó en los últimos 30 días. Los endpoints de webhook reciben los mismos sobres.',
    type: 'Tipo',
    messageDelivered: 'message.delivered',
    resource: 'Recurso',
    call: 'call_…',
    tenant: 'Empresa',
    at: 'Hora',
    noEvents: 'No hay eventos',
    eventsAppearSomething:
      'Los eventos aparecen cuando pasa algo: llega un mensaje, termina una llamada. Si hay un filtro arriba, ningún evento coincide con él.',
  },
});
