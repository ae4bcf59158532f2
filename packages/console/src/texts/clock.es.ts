import type { Translation } from '@dialplane/i18n';
import type { en } from './clock.en.ts';

/** The texts in Spanish. */
export const es = (): Translation<ReturnType<typeof en>> => ({
  clockCard: {
    seconds: 'segundos',
    minutes: 'minutos',
    hours: 'horas',
    days: 'días',
    clockMovedEverything: 'El reloj avanzó. Se ejecutó todo lo que estaba pendiente.',
    clock: 'Reloj',
    clockGoesForward: 'El reloj solo avanza. Todo lo que vence en el camino se ejecuta en orden.',
    forwardBy: 'Avanzar',
    unit: 'Unidad',
    moveTheClock: 'Adelantar el reloj',
  },
  clock: {
    clockAndFaults: 'Reloj y fallas',
    onlyTestMode: 'Solo en modo de prueba',
    realTimeCannot: 'La hora real no se puede adelantar. Cambie arriba al modo de prueba.',
    moveClockYour:
      'Adelante el reloj de sus datos de prueba, haga fallar al operador simulado y vea qué han recibido los teléfonos.',
  },
  faults: {
    untilCleared: 'hasta que se quite',
    receiptComesLater: 'El acuse llega más tarde',
    noReceiptComes: 'No llega ningún acuse; el mensaje queda en cola',
    receiptComesTwice: 'El acuse llega dos veces',
    everySecondReceipt: 'Uno de cada dos acuses llega después del acuse del mensaje siguiente',
    carrierDoesNot: 'El operador no acepta el mensaje: se intenta de nuevo',
    carrierTakesText: 'El operador acepta el mensaje, pero se pierde su respuesta',
    numberRefusedCampaign: 'Un número es rechazado para una campaña',
    isOver: (kind) => `Terminó la falla: ${kind}.`,
    isInForce: (kind) => `Falla activa: ${kind}.`,
    faults: 'Fallas',
    simulatedCarrierWorks: 'El operador simulado funciona como debe.',
    faultsInForce: 'Fallas activas',
    fault: 'Falla',
    whatCarrierDoes: 'Qué hace el operador',
    timesLeft: 'Veces restantes',
    delay: 'Retraso',
    clear: 'Quitar',
    clearOf: (kind) => `Quitar ${kind}`,
    setTheFault: 'Activar la falla',
    times: 'Veces',
    withoutUntilCleared: 'Vacío: hasta que se quite',
    delayInSeconds: 'Retraso en segundos',
  },
  outbox: {
    outbox: 'Bandeja de salida',
    receivedBy: 'Recibidos por',
    noHandsetReceived: 'Ningún teléfono ha recibido un mensaje.',
    textsHandsetsHave: 'Mensajes que han recibido los teléfonos',
    at: 'Hora',
    from: 'De',
    to: 'Para',
    text: 'Mensaje',
  },
  reset: {
    allTestData: 'Se eliminaron todos los datos de prueba.',
    startOver: 'Empezar de nuevo',
    deleteAllTest: '¿Eliminar todos los datos de prueba?',
    deleteTestData: 'Eliminar los datos de prueba',
    tenantsNumbersMessages:
      'Se eliminan las empresas, los números, los mensajes, las llamadas, los eventos y las fallas del modo de prueba, y el reloj vuelve a la hora real. Los datos reales se quedan. Esto no se puede deshacer.',
  },
});
