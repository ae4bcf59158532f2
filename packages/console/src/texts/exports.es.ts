import type { Translation } from '@dialplane/i18n';
import type { en } from './exports.en.ts';

/** The texts in Spanish. */
export const es = (): Translation<ReturnType<typeof en>> => ({
  exportPerson: {
    exportBeingMade: 'La exportación se está preparando.',
    exportAPerson: 'Exportar a una persona',
    export: 'Exportar',
    theirNumber: 'Número de la persona',
  },
  list: {
    exportAPerson: 'Exportar a una persona',
    exports: 'Exportaciones',
    allTenantAbout:
      'Todo lo que una empresa tiene sobre una persona, en un archivo ZIP. Se elimina después de siete días.',
    askedFor: 'Solicitado',
    tenant: 'Empresa',
    id: 'Id',
    status: 'Estado',
    file: 'Archivo',
    noPersonWas: 'No se exportó a ninguna persona',
    noPersonTenant: 'No se exportó a ninguna persona de esta empresa',
    exportTextsCalls:
      'Una exportación tiene los mensajes, las llamadas, el audio y las bajas de una persona, para cuando pide verlos.',
    beingMade: 'Se está preparando…',
    askAgain: 'Solicítela de nuevo',
    deleted: 'eliminada',
    downloadOf: (id) => `Descargar ${id}`,
    download: 'Descargar',
  },
});
