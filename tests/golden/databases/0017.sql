UPDATE tablescore_version SET version_num = '0017';
ALTER TABLE entrant_notes ADD COLUMN paid_as VARCHAR DEFAULT '' NOT NULL;
