-- Who checks destinations now: a run that took longer than its turn does not end the turn of the next one.
ALTER TABLE health_check_turn ADD COLUMN held_by uuid;
