-- One row per word of a tenant's name, in lower case and without accents: what `q` finds by its start.
create table tenant_words (
  ledger_id integer not null,
  tenant_id text collate "C" not null,
  word text collate "C" not null,
  primary key (ledger_id, tenant_id, word),
  foreign key (ledger_id, tenant_id) references tenants (ledger_id, id)
);
create index tenant_words_ledger on tenant_words (ledger_id, word, tenant_id);
create index tenant_words_tenant on tenant_words (ledger_id, (tenant_id || '/' || word), tenant_id);
-- As src/lib/words.ts writes words.
insert into tenant_words (ledger_id, tenant_id, word)
select distinct t.ledger_id, t.id, left(w.word, 40)
from tenants t,
  regexp_split_to_table(
    lower(regexp_replace(normalize(t.name, NFKD), '[\u0300-\u036f]', '', 'g')), '[^[:alnum:]]+') as w (word)
where t.deleted_at is null and w.word <> '';

-- The people of a number's start, and the numbers of the ledger in their order.
create index phone_numbers_digits on phone_numbers (ledger_id, phone_number collate "C") where status <> 'released';
