UPDATE tablescore_version SET version_num = '0016';
CREATE TABLE event_marks (
	tournament_id VARCHAR NOT NULL, 
	archived_at VARCHAR, 
	deleted_at VARCHAR, 
	test BOOLEAN NOT NULL, 
	photos BOOLEAN NOT NULL, 
	section VARCHAR NOT NULL, 
	PRIMARY KEY (tournament_id), 
	FOREIGN KEY(tournament_id) REFERENCES tournaments (tournament_id)
);
CREATE TABLE event_presets (
	name VARCHAR NOT NULL, 
	settings VARCHAR NOT NULL, 
	PRIMARY KEY (name)
);
CREATE TABLE table_photos (
	table_name VARCHAR NOT NULL, 
	taken_at VARCHAR NOT NULL, 
	jpeg BLOB NOT NULL, 
	PRIMARY KEY (table_name)
);
INSERT INTO event_presets VALUES ('Thursday', 'name = "Thursday"');
