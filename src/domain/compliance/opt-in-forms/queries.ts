import type { Db, Tx } from '../../../db/database.ts';
import { LEDGER_NOW } from '../../../db/ledgers.ts';
import { listReader, tenantReader } from '../../../db/list.ts';
import { statement } from '../../../db/statement.ts';
import type { Ledger, Mode } from '../../../lib/scope.ts';
import { senderNameSql } from '../../tenants/index.ts';
import type { OptInForm, OptInSubmission } from './schema.ts';

/** A form without its URLs, which depend on the installation's public URL. */
export type FormRow = Omit<OptInForm, 'url' | 'opt_out_url'>;

const COLUMNS = `id, 'opt_in_form' as object, tenant_id, campaign_id, name, slug, consent_text, terms_url, privacy_url,
  logo_url, color, created_at`;

export type NewForm = Omit<FormRow, 'object' | 'created_at'>;

const INSERT = statement<NewForm & { readonly ledger_id: number }, FormRow>(
  'opt_in_forms_insert',
  `with taken as (insert into opt_in_slugs (slug, ledger_id, form_id) values (:slug, :ledger_id, :id))
   insert into opt_in_forms (ledger_id, id, tenant_id, campaign_id, name, slug, consent_text, terms_url, privacy_url,
     logo_url, color, created_at)
   values (:ledger_id, :id, :tenant_id, :campaign_id, :name, :slug, :consent_text, :terms_url, :privacy_url, :logo_url,
     :color, ledger_now(:ledger_id)) returning ${COLUMNS}`,
);

export async function insertForm(tx: Tx, { ledgerId }: Ledger, form: NewForm): Promise<FormRow> {
  const [row] = await tx.query(INSERT, { ledger_id: ledgerId, ...form });
  return row as FormRow;
}

const FIND = statement(
  'opt_in_forms_find',
  `select ${COLUMNS}, deleted_at is not null as deleted from opt_in_forms where ledger_id = $1 and id = $2`,
);

/** Returns a form even if deleted: its submissions are kept. */
export async function findForm(
  db: Db,
  { ledgerId }: Ledger,
  id: string,
): Promise<(FormRow & { deleted: boolean }) | undefined> {
  const [row] = await db.query<FormRow & { deleted: boolean }>(FIND, [ledgerId, id]);
  return row;
}

const readList = tenantReader<FormRow>({
  name: 'opt_in_forms_list',
  from: ['opt_in_forms', 'f'],
  columns: COLUMNS,
  where: `f.deleted_at is null`,
});

const LOCK = statement(
  'opt_in_forms_lock',
  `select ${COLUMNS}, deleted_at is not null as deleted from opt_in_forms where ledger_id = $1 and id = $2 for update`,
);

/** Like `findForm`, but locks the form until the transaction ends. */
export async function lockForm(
  tx: Tx,
  { ledgerId }: Ledger,
  id: string,
): Promise<(FormRow & { deleted: boolean }) | undefined> {
  const [row] = await tx.query<FormRow & { deleted: boolean }>(LOCK, [ledgerId, id]);
  return row;
}

const UPDATE = statement<Omit<FormRow, 'object'> & { readonly ledger_id: number }, FormRow>(
  'opt_in_forms_update',
  `update opt_in_forms set campaign_id = :campaign_id, name = :name, consent_text = :consent_text,
     terms_url = :terms_url, privacy_url = :privacy_url, logo_url = :logo_url, color = :color
   where ledger_id = :ledger_id and id = :id returning ${COLUMNS}`,
);

/** Writes the fields of a locked form that can change. */
export async function updateFormRow(tx: Tx, { ledgerId }: Ledger, form: FormRow): Promise<FormRow> {
  const [row] = await tx.query(UPDATE, { ledger_id: ledgerId, ...form });
  return row as FormRow;
}

export function listForms(
  db: Db,
  { ledgerId }: Ledger,
  page: { tenantId: string | null; before: string | null; rows: number },
): Promise<FormRow[]> {
  return readList(db, ledgerId, page);
}

const DELETE = statement(
  'opt_in_forms_delete',
  `update opt_in_forms set deleted_at = ledger_now($1)
   where ledger_id = $1 and id = $2 and deleted_at is null returning 1`,
);

/** Deletes a form. Returns false if there was none or it was deleted already. */
export async function markFormDeleted(tx: Tx, { ledgerId }: Ledger, id: string): Promise<boolean> {
  return (await tx.query(DELETE, [ledgerId, id])).length > 0;
}

const DELETE_OF_TENANT = statement(
  'opt_in_forms_delete_of_tenant',
  `update opt_in_forms set deleted_at = ledger_now($1) where ledger_id = $1 and tenant_id = $2 and deleted_at is null`,
);

export async function markFormsDeleted(tx: Tx, { ledgerId }: Ledger, tenantId: string): Promise<void> {
  await tx.query(DELETE_OF_TENANT, [ledgerId, tenantId]);
}

/** The data of a form's page. */
export type PublicForm = FormRow & { ledger_id: number; mode: Mode; tenant_name: string; sender_name: string };

/** @param isShown the conditions of a form `f` of the account `a` */
const findPublicSql = (
  isShown: string,
) => `select f.id, 'opt_in_form' as object, f.tenant_id, f.campaign_id, f.name, f.slug, f.consent_text, f.terms_url,
          f.privacy_url, f.logo_url, f.color, f.created_at, f.ledger_id, l.mode, t.name as tenant_name,
          ${senderNameSql('t')} as sender_name
   from opt_in_slugs s
     join opt_in_forms f on f.ledger_id = s.ledger_id and f.id = s.form_id
     join tenants t on t.ledger_id = f.ledger_id and t.id = f.tenant_id
     join ledgers l on l.id = f.ledger_id
     join accounts a on a.id = l.account_id
   where s.slug = $1 and l.state in ('active', 'moving') and ${isShown}`;

const FIND_PUBLIC = statement(
  'opt_in_forms_find_public',
  findPublicSql(`f.deleted_at is null and a.status = 'active'`),
);

/**
 * Returns the form at a public address. A visitor has no key and so no scope; the form's ledger is the scope of the
 * next steps. A suspended account shows no pages.
 */
export async function findPublicForm(db: Db, slug: string): Promise<PublicForm | undefined> {
  const [row] = await db.query<PublicForm>(FIND_PUBLIC, [slug]);
  return row;
}

const FIND_FOR_OPT_OUT = statement('opt_in_forms_find_for_opt_out', findPublicSql('true'));

/**
 * Like `findPublicForm`, but also returns deleted forms and forms of suspended accounts, because they still take
 * opt-outs.
 */
export async function findOptOutForm(db: Db, slug: string): Promise<PublicForm | undefined> {
  const [row] = await db.query<PublicForm>(FIND_FOR_OPT_OUT, [slug]);
  return row;
}

const SUBMISSION_COLUMNS = `s.id, 'opt_in_submission' as object, s.form_id as opt_in_form_id, s.tenant_id,
  (select f.campaign_id from opt_in_forms f where f.ledger_id = s.ledger_id and f.id = s.form_id) as campaign_id,
  s.phone_number, s.consent_text, s.created_at as submitted_at, s.ip_address, s.user_agent, s.created_at,
  s.times_submitted, coalesce(s.last_consent_text, s.consent_text) as last_consent_text, s.last_ip_address,
  s.last_user_agent, s.last_submitted_at`;

type SubmitValues = {
  readonly ledger_id: number;
  readonly form_id: string;
  readonly id: string;
  readonly phone_number: string;
  readonly consent_text: string;
  readonly ip_address: string;
  readonly user_agent: string | null;
};

// The first evidence is never overwritten. A form that was deleted concurrently stores none.
const SUBMIT = statement<SubmitValues, OptInSubmission>(
  'opt_in_submissions_submit',
  `insert into opt_in_submissions as s (ledger_id, id, form_id, tenant_id, phone_number, consent_text, ip_address,
     user_agent, created_at, last_ip_address, last_user_agent, last_submitted_at)
   select f.ledger_id, :id, f.id, f.tenant_id, :phone_number, :consent_text, :ip_address, :user_agent, now.at,
     :ip_address, :user_agent, now.at
   from opt_in_forms f, ${LEDGER_NOW}
   where f.ledger_id = :ledger_id and f.id = :form_id and f.deleted_at is null
   on conflict (ledger_id, form_id, phone_number) do update
     set times_submitted = s.times_submitted + 1,
         last_consent_text = nullif(excluded.consent_text, s.consent_text), last_ip_address = excluded.last_ip_address,
         last_user_agent = excluded.last_user_agent,
         last_submitted_at = greatest(s.last_submitted_at, excluded.last_submitted_at)
   returning ${SUBMISSION_COLUMNS}`,
);

/** `consentText` is the text that the person saw. */
export type Evidence = { phoneNumber: string; consentText: string; ipAddress: string; userAgent: string | null };

/** Stores a submission; undefined if the form is deleted. */
export async function submit(
  tx: Tx,
  form: { ledgerId: number; formId: string },
  submission: Evidence & { id: string },
): Promise<OptInSubmission | undefined> {
  const { id, phoneNumber, consentText, ipAddress, userAgent } = submission;
  const ids = { ledger_id: form.ledgerId, form_id: form.formId, id };
  const evidence = { phone_number: phoneNumber, consent_text: consentText };
  const [row] = await tx.query(SUBMIT, { ...ids, ...evidence, ip_address: ipAddress, user_agent: userAgent });
  return row;
}

const readSubmissions = listReader<OptInSubmission>(
  {
    name: 'opt_in_submissions_list',
    from: ['opt_in_submissions', 's'],
    columns: SUBMISSION_COLUMNS,
  },
  { name: 'form', keys: [{ sql: 's.form_id' }] },
);
// A form has at most one submission of each number.
const LIST_OF_NUMBER = statement(
  'opt_in_submissions_list_of_number',
  `select ${SUBMISSION_COLUMNS} from opt_in_submissions s
   where s.ledger_id = $1 and s.form_id = $2 and s.phone_number = $3 and ($4::text is null or s.id < $4)`,
);

export function listSubmissions(
  db: Db,
  { ledgerId }: Ledger,
  wanted: { formId: string; phoneNumber: string | null; before: string | null; rows: number },
): Promise<OptInSubmission[]> {
  const { formId, phoneNumber, ...page } = wanted;
  return phoneNumber === null
    ? readSubmissions(db, ledgerId, { ...page, arms: [[formId]] })
    : db.query<OptInSubmission>(LIST_OF_NUMBER, [ledgerId, formId, phoneNumber, page.before]);
}

const FIND_MOVED = statement<readonly unknown[], { moved_to: string }>(
  'opt_in_slugs_find_moved',
  `select l.moved_to from opt_in_slugs s join ledgers l on l.id = s.ledger_id where s.slug = $1 and l.state = 'moved'`,
);

/** Returns the name of the cell that a form's account has moved to. The name of the first database is empty. */
export async function findMovedForm(db: Db, slug: string): Promise<string | undefined> {
  const [row] = await db.query(FIND_MOVED, [slug]);
  return row?.moved_to;
}
