import type { Formats } from '@dialplane/i18n';

/** The texts in English. */
export const en = ({ plural }: Formats) => ({
  deleteTemplate: {
    templateDeleted: (name: string) => `The template ${name} is deleted.`,
    delete: (name: string) => `Delete ${name}?`,
    deleteTheTemplate: 'Delete the template',
    sendsNameRefused:
      'Sends that name it are refused from then on. Texts that were made from it, scheduled ones too, stay as they are.',
  },
  list: {
    newTemplate: 'New template',
    templates: 'Templates',
    textsVariablesOne: 'Texts with variables, for one tenant or for all.',
    name: 'Name',
    text: 'Text',
    tenant: 'Tenant',
    allTenants: 'all tenants',
    actions: 'Actions',
    noTemplatesYet: 'No templates yet',
    reminder: 'Reminder',
    hiFirstName: 'Hi {{first_name}}, see you on {{day}}.',
    templateTextUsed: 'A template is a text that is used again, with gaps such as {{first_name}} that each send fills.',
    edit: (name: string) => `Edit ${name}`,
    editText: 'Edit',
    delete: (name: string) => `Delete ${name}`,
    deleteText: 'Delete',
  },
  templateEditor: {
    templateSaved: (name: string) => `The template ${name} is saved.`,
    newTemplate: 'New template',
    editTheTemplate: 'Edit the template',
    save: 'Save',
    name: 'Name',
    allTenants: 'All tenants',
    emptyEveryTenant: 'Empty: every tenant can use it',
    text: 'Text',
    variablesStandDouble: 'Variables stand in double braces, such as {{first_name}}',
    preview: 'Preview',
    segments: (count: number, encoding: string) =>
      `${plural(count, { one: '1 segment', other: `${count} segments` })} · ${encoding}`,
  },
});
