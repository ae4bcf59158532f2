import type { Translation } from '@dialplane/i18n';
import type { en } from './opt-outs.en.ts';

/** The texts in Spanish. */
export const es = (): Translation<ReturnType<typeof en>> => ({
  candidates: {
    isOptedOut: (externalNumber) => `Se dio de baja a ${externalNumber}.`,
    textNoOpt: 'El mensaje no es una baja.',
    toDecide: 'Por decidir',
    theseTextsMay:
      'Es posible que estos mensajes pidan una baja. Hasta que usted decida, las personas siguen recibiendo mensajes. Un mensaje se muestra durante 30 días.',
    textsToDecide: 'Mensajes por decidir',
    person: 'Persona',
    text: 'Mensaje',
    tenant: 'Empresa',
    sent: 'Enviado',
    decision: 'Decisión',
    optOut: (externalNumber) => `Dar de baja a ${externalNumber}`,
    optOutText: 'Dar de baja',
    dismissText: (externalNumber) => `Descartar el mensaje de ${externalNumber}`,
    noOptOut: 'No es una baja',
  },
  list: {
    addOptOut: 'Agregar una baja',
    optOuts: 'Bajas',
    peopleWhoGet:
      'Personas que no reciben mensajes de una empresa, ni llamadas en las que hable su software. Una baja nunca vence; la revierte el START de la propia persona.',
    person: 'Persona',
    tenant: 'Empresa',
    stops: 'Abarca',
    setBy: 'Origen',
    since: 'Desde',
    actions: 'Acciones',
    liftOptOut: (externalNumber) => `Revertir la baja de ${externalNumber}`,
    lift: 'Revertir',
    byStartAlone: 'solo con START',
    personNotOpted: 'Esta persona no se dio de baja',
    changeFiltersAbove: 'Cambie los filtros de arriba.',
    nobodyOptedOut: 'Nadie se dio de baja',
    whoTextsStop:
      'Aquí aparece quien escribe STOP, y no recibe más mensajes ni llamadas de software. Agregue a quienes conozca por otro medio.',
  },
  optOutDialogs: {
    youKnowFrom: 'Usted lo sabe por otro medio',
    listAnotherProvider: 'Una lista de otro proveedor',
    textsCallsSoftware: 'Mensajes y llamadas de software',
    texts: 'Mensajes',
    callsOfSoftware: 'Llamadas de software',
    isOptedOut: (externalNumber) => `Se dio de baja a ${externalNumber}.`,
    addOptOut: 'Agregar una baja',
    add: 'Agregar',
    theirNumber: 'Número de la persona',
    whatItStops: 'Qué abarca',
    howYouKnow: 'Cómo lo sabe',
    optOutLifted: (person) => `Se revirtió la baja de ${person}.`,
    liftOptOut: (person) => `¿Revertir la baja de ${person}?`,
    liftIt: 'Revertirla',
    tenantSoftwareCan:
      'La empresa y su software pueden volver a escribir y llamar a esta persona. Hágalo solo si la persona aceptó.',
  },
  sources: {
    texts: 'mensajes',
    callsOfSoftware: 'llamadas de software',
  },
});
