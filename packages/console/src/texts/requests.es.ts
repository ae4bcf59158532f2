import type { Translation } from '@dialplane/i18n';
import type { en } from './requests.en.ts';

/** The texts in Spanish. */
export const es = (): Translation<ReturnType<typeof en>> => ({
  audit: {
    auditLog: 'Registro de auditoría',
    whoChangedKeys: 'Quién modificó claves, empresas, números, endpoints y sesiones, durante 400 días.',
    what: 'Qué',
    resource: 'Recurso',
    tenant: 'Empresa',
    by: 'Por',
    at: 'Hora',
    nothingWasChanged: 'Todavía no se modificó nada',
    newKeyBought:
      'Aquí aparece una clave nueva, un número comprado o un endpoint modificado. Con una empresa elegida arriba, solo lo que es de ella.',
    key: 'clave',
    operator: 'administrador de la instalación',
    consoleSession: 'sesión de la consola',
  },
  list: {
    requests: 'Solicitudes',
    whatYourServers: 'Lo que sus servidores pidieron a la API y lo que esta consola modificó ahí, sin los cuerpos.',
    method: 'Método',
    any: 'Cualquiera',
    status: 'Estado',
    statusExample: '422 o 4xx',
    errorCode: 'Código de error',
    recipientOptedOut: 'recipient_opted_out',
    route: 'Ruta',
    v1Messages: '/v1/messages',
    request: 'Solicitud',
    tenant: 'Empresa',
    took: 'Duración',
    ms: (durationMs) => `${durationMs} ms`,
    at: 'Hora',
    noRequests: 'No hay solicitudes',
    eachRequestValid:
      'Aquí aparece cada solicitud con una clave válida. Si hay un filtro arriba, ninguna solicitud coincide con él.',
  },
  request: {
    request: 'Solicitud',
    path: 'Ruta de acceso',
    status: 'Estado',
    errorCode: 'Código de error',
    took: 'Duración',
    ms: (durationMs) => `${durationMs} ms`,
    at: 'Hora',
    keyOrSession: 'Clave o sesión',
    tenant: 'Empresa',
    idempotencyKey: 'Idempotency-Key',
    repeatEarlierReply: 'Repetición de una respuesta anterior',
    yes: 'sí',
    no: 'no',
    requestId: 'Id de la solicitud',
  },
});
