-- Less is written for each text.

-- The conversation of a message is found or made by the statement that inserts the message. The check of the key was a
-- lock and a look-up for each text, of a row that the statement has just written.
alter table messages drop constraint messages_ledger_id_conversation_id_fkey;

-- Room on the page for the new version that the receipt makes, so that no index changes.
alter table simulated_messages set (fillfactor = 55);
