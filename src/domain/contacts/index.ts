export { deleteTenantContacts } from './contacts/change-contacts.ts';
export { contactRoutes } from './contacts/routes.ts';
