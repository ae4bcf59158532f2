import type { Translation } from '@dialplane/i18n';
import { refusals } from './refusals.es.ts';
import { ruleOf } from './rules.es.ts';
import type { en } from './ui.en.ts';
import { words } from './words.es.ts';

/** The texts in Spanish. */
export const es = (): Translation<ReturnType<typeof en>> => ({
  /** Translated names of the API's fields and resources. Only languages other than English have them. */
  words,
  refusals,
  apiErrors: {
    entry: (value, at) => `Entrada ${value}: ${at}`,
    thisIsRequired: 'Este dato es obligatorio.',
    it: (rest) => ruleOf(rest) ?? `La API respondió: “It ${rest}”`,
  },
  code: {
    copy: 'Copiar',
    copied: 'Copiado',
    sameCurl: 'Lo mismo con curl',
  },
  dataList: {
    tryAgain: 'Intentar de nuevo',
    loadingMore: 'Cargando más…',
    loading: (things) => `Cargando ${things}…`,
    id: 'Id',
    copyTheId: 'Copiar el id',
  },
  dialog: {
    close: 'Cerrar',
    cancel: 'Cancelar',
  },
  errorNote: {
    request: 'Solicitud <0/>',
  },
  filterBar: {
    filters: 'Filtros',
  },
  form: {
    cancel: 'Cancelar',
    thereFurtherMistakes: 'Hay más errores',
  },
  fullList: {
    tryAgain: 'Intentar de nuevo',
    loading: (things) => `Cargando ${things}…`,
    loadingMore: 'Cargando más…',
  },
  leaveQuestion: {
    leaveWithoutSaving: '¿Salir sin guardar?',
    leave: 'Salir',
    whatYouHave: 'Lo que ingresó en esta página no está guardado.',
  },
  notice: {
    testControlOf: (title) => `Control de prueba: ${title}`,
    testControl: 'Control de prueba',
  },
  oneZone: {
    timesIn: (name) => `Hora de ${name}`,
  },
  page: {
    none: 'no hay',
  },
  thingTools: {
    copyTheId: 'Copiar el id',
    copyTheRequest: 'Copiar la solicitud que lo lee, para curl',
  },
  toast: {
    dismiss: 'Quitar el mensaje',
  },
});
