import type { Formats, Translation } from '@dialplane/i18n';
import type { en } from './queues.en.ts';

/** The texts in Spanish. */
export const es = ({ plural }: Formats): Translation<ReturnType<typeof en>> => ({
  attempts: {
    errorRate: 'Tasa de errores por tipo',
    countedSince:
      'Intentos fallidos entre todos los intentos desde <0/>. Un intento puede ocuparse de varios trabajos.',
    kind: 'Tipo',
    rate: 'Tasa de errores',
    failed: 'Intentos fallidos',
    attempts: 'Intentos',
  },
  failingEndpoints: {
    failingEndpoints: 'Endpoints de webhooks que fallan',
    address: 'Dirección',
    account: 'Cuenta',
    mode: 'Modo',
    test: 'Prueba',
    live: 'Real',
    status: 'Estado',
    since: 'Desde',
  },
  figures: {
    texts: 'Mensajes',
    calls: 'Llamadas',
    audio: 'Audio',
    everythingElse: 'Todo lo demás',
    due: 'pendientes',
    running: 'en curso',
    failed: 'fallidos',
    orMoreLater: 'o más para después',
    later: 'para después',
    nothingWaits: 'nada espera',
  },
  jobs: {
    due: 'Pendiente',
    running: 'En curso',
    failed: 'Fallido',
    dueLater: 'Para después',
    jobsLongestDue: 'Trabajos, los pendientes más antiguos primero',
    state: 'Estado',
    any: 'Cualquiera',
    queue: 'Cola',
    kind: 'Tipo',
    jobs: 'Trabajos',
    attempts: 'Intentos',
    account: 'Cuenta',
    noSuchJob: 'No hay un trabajo así',
    nothingKindWaits: 'Nada de este tipo espera, está en curso ni ha fallado.',
    for: (dueForSeconds) => `desde hace ${dueForSeconds}`,
    theInstallation: 'la instalación',
  },
  kinds: {
    due: 'Pendientes',
    running: 'En curso',
    failed: 'Fallidos',
    later: 'Para después',
    longestDue: 'Pendiente más antiguo',
    noJobs: 'No hay trabajos',
    nothingWaitsJob:
      'Nada espera. Un trabajo aparece cuando se envía un mensaje, una llamada tiene un temporizador o se reintenta un webhook.',
    jobsByKind: 'Trabajos por tipo',
    kind: 'Tipo',
    queue: 'Cola',
    showHousekeepingTime: (count) =>
      `Mostrar el mantenimiento que está a tiempo (${plural(count, { one: '1 tipo', other: `${count} tipos` })})`,
  },
  lanes: {
    noLanes: 'No hay carriles',
    laneSerialQueue:
      'Un carril es una cola en serie de un recurso, como los eventos de una llamada hacia un endpoint. Existe mientras hay algo en él.',
    stalledLaneTries:
      'Un carril detenido intenta su primera entrada una y otra vez, y lo que está detrás espera. Los demás carriles siguen. La causa habitual es un endpoint de webhook o un operador que rechaza.',
    lanes: 'Carriles',
    kind: 'Tipo',
    stalled: 'Detenidos',
    lanesWaitWorkers: 'Hay carriles que esperan procesos libres',
    oneLaneStalled: '1 carril está detenido',
    lanesAreStalled: (failed) => `${failed} carriles están detenidos`,
  },
  queues: {
    queues: 'Colas',
    workBackgroundWhere: (busyS) =>
      `El trabajo en segundo plano. Donde los procesos dan abasto, nada está pendiente más de ${busyS} s.`,
    jobsByKind: 'Trabajos por tipo',
    lanes: 'Carriles',
    onTime: 'a tiempo',
    late: (oldest) => `${oldest} de retraso`,
  },
});
