-- Attempts of jobs and lanes by kind and hour, added up by all worker processes. Jobs that succeeded are deleted.
create table attempt_counts (
  hour timestamptz not null,
  kind text collate "C" not null,
  attempts bigint not null,
  failed_attempts bigint not null,
  primary key (hour, kind)
);
