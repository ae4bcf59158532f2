-- A sole proprietor may have no tax number.
alter table brands alter column ein drop not null, alter column ein_last4 drop not null;
