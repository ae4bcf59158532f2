/**
 * SQL of all recorded usage, each entry once. An entry may be repeated after the summary of usage took it. It is then a
 * row of `usage_entries` until the next summary recognizes it.
 */
export const RECORDED_USE = `(select * from usage_archive union all
    select e.* from usage_entries e left join usage_archive a using (ledger_id, kind, reference) where a.at is null)`;
