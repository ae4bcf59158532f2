-- conversation_people has taken its place. The lock of a table for a drop is not taken behind the long copy of rows.
drop index conversations_tenant_and_person;
