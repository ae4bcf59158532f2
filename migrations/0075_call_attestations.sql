-- What the caller's network says of the right to use the number; null where it says nothing, and of calls from before.
alter table calls add column attestation text;
