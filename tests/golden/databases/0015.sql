UPDATE tablescore_version SET version_num = '0015';
CREATE TABLE slip_photos (
	taken INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, 
	tournament_id VARCHAR NOT NULL, 
	code VARCHAR NOT NULL, 
	taken_at VARCHAR NOT NULL, 
	jpeg BLOB NOT NULL, 
	seen VARCHAR NOT NULL, 
	kept INTEGER NOT NULL, 
	FOREIGN KEY(tournament_id) REFERENCES tournaments (tournament_id) ON DELETE CASCADE
);
CREATE INDEX ix_slip_photos_tournament_id ON slip_photos (tournament_id);
