-- A number is deleted only while its order is pending, when no call and no conversation has it, and by a reset of its
-- ledger, which also deletes those. The check of these keys would read all calls of the ledger, because no index begins
-- with the number. Their tenant is checked as before.
alter table calls drop constraint calls_ledger_id_phone_number_id_fkey;
alter table conversations drop constraint conversations_ledger_id_phone_number_id_fkey;
