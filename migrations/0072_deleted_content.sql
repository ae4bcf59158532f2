-- What people have had deleted: the row stays with its usage, times and parties, and its content goes.

-- When a text was redacted; its body and media are shown as empty from then on. A text that is still to be sent keeps
-- them in the row until it has left.
alter table messages add column redacted_at timestamptz;

-- When the transcript of a call was deleted. What is said later in the call is not added.
alter table calls add column transcript_deleted_at timestamptz;
