-- Events and deliveries are the largest tables, and each day as many of their rows are deleted as are made. With the
-- default of a fifth of the table, a vacuum of 100 million rows would wait for 20 million dead ones, and then hold the
-- disk for hours. In small parts the space of deleted rows is used again the same day.
alter table events set (
  autovacuum_vacuum_scale_factor = 0.02,
  autovacuum_vacuum_insert_scale_factor = 0.05,
  autovacuum_analyze_scale_factor = 0.05
);

-- No free space is left on new pages: since deliveries are listed by status, a row that is updated gets new entries in
-- all indexes whether its next version is on the same page or not.
alter table deliveries reset (fillfactor);
alter table deliveries set (
  autovacuum_vacuum_scale_factor = 0.02,
  autovacuum_vacuum_insert_scale_factor = 0.05,
  autovacuum_analyze_scale_factor = 0.05
);
