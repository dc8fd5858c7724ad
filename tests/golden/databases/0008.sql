UPDATE tablescore_version SET version_num = '0008';
ALTER TABLE events ADD COLUMN confirmed_by VARCHAR DEFAULT '' NOT NULL;
UPDATE events SET confirmed_by = 'here' WHERE game_id = 'bga-duel';
UPDATE events SET confirmed_by = 'buttons' WHERE game_id = 'chaser-duel' AND sequence > 3;
