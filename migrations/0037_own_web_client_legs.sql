-- Legs of web clients are the product's, also on simulated calls. Test calls with one that run now end for the web
-- client: nothing looks for it any more.
delete from jobs where kind = 'simulated.call_action' and payload -> 'action' ->> 'do' = 'check_web_client';
drop index simulated_legs_web_client;
alter table simulated_legs drop column end_reason;
