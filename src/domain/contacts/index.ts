export { contactFilter, deleteTenantContacts } from './contacts/change-contacts.ts';
export { readContactsByWord } from './contacts/list-queries.ts';
export { contactIdOf, deleteContactOf, findContactName, holdContact } from './contacts/queries.ts';
export { contactRoutes } from './contacts/routes.ts';
export type { Contact } from './contacts/schema.ts';
