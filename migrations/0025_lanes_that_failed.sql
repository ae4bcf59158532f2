-- Lanes whose last attempt failed have bounds of their own: either kind is found without passing over the other.
create index lanes_due_by_failure on lanes (kind, group_id, (failures > 0), run_at) where run_at < 'infinity';
drop index lanes_due;
