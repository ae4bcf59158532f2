import type { Translation } from '@dialplane/i18n';
import type { en } from './overview.en.ts';

/** The texts in Spanish. */
export const es = (): Translation<ReturnType<typeof en>> => ({
  failingEndpoints: {
    webhookEndpointFails: 'Un endpoint de webhook falla',
    webhookEndpointsFail: (count) => `${count} endpoints de webhook fallan`,
  },
  figures: {
    callsInProgress: 'Llamadas en curso',
    ringing: (waiting) => `${waiting} timbrando`,
    textsDelivered: 'Mensajes entregados',
    noTextWas: 'todavía no se envió ningún mensaje',
    ofTheLast: (min) => `de los últimos ${min}`,
    balance: 'Saldo',
    onTime: 'a tiempo',
    late: (oldest) => `${oldest} de retraso`,
    backgroundWork: 'Trabajo en segundo plano',
    queuesInstallation: 'Colas de la instalación',
  },
  overview: {
    overview: 'Resumen',
    testModeSimulated: 'Modo de prueba: un operador simulado, personas simuladas y un reloj que usted puede adelantar.',
    liveModeReal: 'Modo real: operadores reales, personas reales, dinero real.',
    openTheInbox: 'Abrir la bandeja de entrada',
  },
  recentEvents: {
    states: { connecting: 'conectando', connected: 'en vivo', disconnected: 'reconectando' },
    newestEvents: 'Eventos más recientes',
    nothingHappenedYet: 'Todavía no ha pasado nada.',
  },
  recentFailures: {
    failuresByCode: 'Fallas por código',
    noneLastTexts: (textsMax) => `No falló ninguno de los últimos ${textsMax} mensajes.`,
  },
  tour: {
    firstSteps: 'Primeros pasos',
    hideFirstSteps: 'Ocultar los primeros pasos',
    done: 'hecho',
    makeATenant: 'Cree una empresa',
    customerYourPlatform: 'Un cliente de su plataforma.',
    buyANumber: 'Compre un número',
    searchAreaCode: 'Busque por código de área y cómprelo para la empresa.',
    addWebhookEndpoint: 'Agregue un endpoint de webhook',
    yourServerGets: 'Su servidor recibe cada evento, firmado y en orden.',
    sendAText: 'Envíe un mensaje',
    writeInboxSee: 'Escríbalo en la bandeja de entrada y vea cómo se entrega.',
    letThemAnswer: 'Deje que respondan',
    textBackFrom: 'Responda desde un teléfono de prueba. Pruebe también STOP.',
    repliesNumberAppear: 'Las respuestas al número aparecen en la bandeja de entrada.',
    makeACall: 'Haga una llamada',
    callNumberFrom:
      'Llame al número desde un teléfono de prueba y deje un mensaje de voz, o llame a una persona en la página de las llamadas.',
    ringsYourTelephone: 'Primero timbra su teléfono y luego el del cliente.',
  },
  traffic: {
    textSegmentsSent: 'Segmentos de mensajes enviados',
    textSegmentsReceived: 'Segmentos de mensajes recibidos',
    callMinutes: 'Minutos de llamadas',
    traffic: 'Tráfico',
    theLastDays: (days) => `Los últimos ${days} días`,
  },
});
