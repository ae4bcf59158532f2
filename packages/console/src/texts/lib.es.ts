import type { Translation } from '@dialplane/i18n';
import type { en } from './lib.en.ts';

/** The texts in Spanish. */
export const es = (): Translation<ReturnType<typeof en>> => ({
  browserName: {
    unknown: 'Navegador desconocido',
    on: (browser, system) => `${browser} en ${system}`,
  },
  /** Why texts fail, by `error_code`. The table of docs/messaging.md says the same, and a test compares both. */
  failures: {
    carrier_rejected: {
      why: 'El operador lo rechazó, o no pudo entregarlo y no dio un motivo mejor',
      next: 'Revise el número y el contenido, y envíelo una vez más. Si vuelve a fallar, pregunte al operador, con su código si lo hay',
    },
    send_failed: {
      why: 'El operador no pudo aceptarlo en ningún intento, o ya no se puede enviar',
      next: 'Vea si el número sigue activo y pida a quien administra la instalación que revise la conexión con el operador. Luego envíelo de nuevo: la persona no lo recibió',
    },
    unreachable: {
      why: 'El teléfono está fuera de alcance, o el número no recibe mensajes',
      next: 'Revise el número. Si es una línea fija o ya no está en uso, llame o escriba por otro medio; si no, inténtelo de nuevo en unas horas',
    },
    spam_blocked: {
      why: 'Un filtro lo detuvo',
      next: 'No repita el mismo mensaje. Diga quién lo envía, omita enlaces cortos y todo lo que la campaña no describe, y envíe menos a la vez',
    },
    daily_cap_exceeded: {
      why: 'Se agotó el límite diario de la campaña, aquí o en el operador de la persona',
      next: 'Envíelo después de la medianoche del Pacífico. Si pasa a menudo, pida una mejor verificación de la marca',
    },
    expired: {
      why: 'El operador dejó de esperar al teléfono; o el mensaje esperó cuatro horas el turno de su campaña; o durante casi cuatro horas el operador no dijo si lo tiene',
      next: 'Es posible que la persona lo tenga: pregunte antes de enviarlo de nuevo. Si hay mensajes en espera de la campaña, repártalos a lo largo del día',
    },
    recipient_opted_out: {
      why: 'La persona se dio de baja mientras estaba programado o en cola',
      next: 'No lo envíe de nuevo. La persona puede enviar START',
    },
    campaign_suspended: {
      why: 'La campaña de su número se suspendió mientras estaba programado o en cola',
      next: 'Vea el motivo en la página de la campaña y corríjalo. Luego envíelo de nuevo, o desde un número con una campaña aprobada',
    },
    insufficient_balance: {
      why: 'El saldo se había agotado cuando llegó su hora',
      next: 'Pida a quien administra la instalación que abone a la cuenta y envíelo de nuevo',
    },
  },
  previews: {
    call: 'Llamada',
    missedCall: 'Llamada perdida',
    voicemail: (length) => `Mensaje de voz, ${length}`,
    files: (count) => (count === 1 ? '[archivo]' : `[${count} archivos]`),
  },
  otherFailure: {
    why: (code) => `Falló con ${code}`,
    next: 'Lea lo que dice la documentación sobre el código',
  },
});
