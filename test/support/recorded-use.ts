/**
 * SQL of all use that was recorded, each once. Use that is recorded again after the summary of usage had taken it is a
 * row of `usage_entries` until the next summary recognizes it.
 */
export const RECORDED_USE = `(select * from usage_archive union all
    select e.* from usage_entries e left join usage_archive a using (ledger_id, kind, reference) where a.at is null)`;
