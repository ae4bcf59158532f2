import type { Formats, Translation } from '@dialplane/i18n';
import type { en } from './templates.en.ts';

/** The texts in Spanish. */
export const es = ({ plural }: Formats): Translation<ReturnType<typeof en>> => ({
  deleteTemplate: {
    templateDeleted: (name) => `La plantilla ${name} se eliminó.`,
    delete: (name) => `¿Eliminar ${name}?`,
    deleteTheTemplate: 'Eliminar la plantilla',
    sendsNameRefused:
      'Desde entonces se rechazan los envíos que la nombran. Los mensajes que se crearon con ella, también los programados, quedan como están.',
  },
  list: {
    newTemplate: 'Plantilla nueva',
    templates: 'Plantillas',
    textsVariablesOne: 'Mensajes con variables, para una empresa o para todas.',
    name: 'Nombre',
    text: 'Mensaje',
    tenant: 'Empresa',
    allTenants: 'todas las empresas',
    actions: 'Acciones',
    noTemplatesYet: 'Todavía no hay plantillas',
    reminder: 'Recordatorio',
    hiFirstName: 'Hola, {{first_name}}, nos vemos el {{day}}.',
    templateTextUsed:
      'Una plantilla es un mensaje que se usa de nuevo, con espacios como {{first_name}} que cada envío llena.',
    edit: (name) => `Modificar ${name}`,
    editText: 'Modificar',
    delete: (name) => `Eliminar ${name}`,
    deleteText: 'Eliminar',
  },
  templateEditor: {
    templateSaved: (name) => `La plantilla ${name} está guardada.`,
    newTemplate: 'Plantilla nueva',
    editTheTemplate: 'Modificar la plantilla',
    save: 'Guardar',
    name: 'Nombre',
    allTenants: 'Todas las empresas',
    emptyEveryTenant: 'Vacío: todas las empresas pueden usarla',
    text: 'Mensaje',
    variablesStandDouble: 'Las variables van entre llaves dobles, como {{first_name}}',
    preview: 'Vista previa',
    segments: (count, encoding) => `${plural(count, { one: '1 segmento', other: `${count} segmentos` })} · ${encoding}`,
  },
});
