import type { RoutePlugin } from '../../../http/edge/types.ts';
import { idPage, idPosition, readCursor, wordPage } from '../../../http/schemas/pagination.ts';
import { Id, PageOf } from '../../../http/schemas/schemas.ts';
import { write } from '../../../http/writes/write.ts';
import { Type } from '../../../lib/type.ts';
import { wordsOf } from '../../../lib/words.ts';
import { tenantFilter } from '../../tenants/index.ts';
import { createContact, deleteContact, getContact, updateContact } from './change-contacts.ts';
import { listContacts, readContactsByWord } from './list-queries.ts';
import { UPSERT_BYTES_MAX } from './rules.ts';
import { Contact, ContactList, CreateContact, UpdateContact, UpsertContacts, UpsertResults } from './schema.ts';
import { upsertContacts } from './upsert-contacts.ts';

const params = Type.Object({ contact_id: Id });
const tags = ['Contacts'];

/** The cursors of the list by words, which has a different order. */
const BY_WORD = 'contacts_by_word';

export const contactRoutes: RoutePlugin = (api, context) => {
  const list = { querystring: ContactList, response: { 200: PageOf(Contact) } };
  api.get('/contacts', { schema: { tags, summary: 'List contacts', ...list } }, async ({ scope, query }) => {
    const { limit = 25, after, tenant_id, q, external_ref = null } = query;
    const phoneNumbers = query.phone_number ?? query.phone_numbers ?? null;
    const words = q === undefined ? null : wordsOf(q);
    const tenantId = await tenantFilter(context.db, scope, tenant_id);
    if (words !== null && phoneNumbers === null && external_ref === null) {
      const before = readCursor(BY_WORD, 2, after);
      const page = { tenantId, words, before, rows: limit };
      return wordPage(BY_WORD, await readContactsByWord(context.db, scope.ledgerId, page));
    }
    const before = idPosition('contacts', after);
    // A text without words finds nothing.
    if (words?.length === 0) return idPage('contacts', [], limit);
    const filter = { tenantId, words, phoneNumbers, externalRef: external_ref };
    return idPage('contacts', await listContacts(context.db, scope, { ...filter, before, rows: limit + 1 }), limit);
  });

  api.post(
    '/contacts',
    { schema: { tags, summary: 'Create a contact', body: CreateContact, response: { 201: Contact } } },
    (request, reply) =>
      write(context, { request, reply, status: 201 }, (tx) => createContact(tx, request.scope, request.body)),
  );

  const upsert = { body: UpsertContacts, response: { 200: UpsertResults } };
  api.post(
    '/contacts/upsert',
    { bodyLimit: UPSERT_BYTES_MAX, schema: { tags, summary: 'Create or change many contacts', ...upsert } },
    (request, reply) =>
      write(context, { request, reply, status: 200 }, (tx) => upsertContacts(tx, request.scope, request.body)),
  );

  api.get(
    '/contacts/:contact_id',
    { schema: { tags, summary: 'Get a contact', params, response: { 200: Contact } } },
    ({ scope, params: { contact_id } }) => getContact(context.db, scope, contact_id),
  );

  api.patch(
    '/contacts/:contact_id',
    { schema: { tags, summary: 'Change a contact', params, body: UpdateContact, response: { 200: Contact } } },
    (request, reply) => {
      const change = { id: request.params.contact_id, change: request.body };
      return write(context, { request, reply, status: 200 }, (tx) => updateContact(tx, request.scope, change));
    },
  );

  api.delete(
    '/contacts/:contact_id',
    { schema: { tags, summary: 'Delete a contact', params, response: { 204: Type.Null() } } },
    (request, reply) =>
      write(context, { request, reply, status: 204 }, (tx) =>
        deleteContact(tx, request.scope, request.params.contact_id),
      ),
  );
};
