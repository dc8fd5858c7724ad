UPDATE tablescore_version SET version_num = '0013';
CREATE TABLE players (
	player_id VARCHAR NOT NULL, 
	name VARCHAR NOT NULL, 
	club VARCHAR NOT NULL, 
	note VARCHAR NOT NULL, 
	hidden INTEGER NOT NULL, 
	PRIMARY KEY (player_id)
);
CREATE TABLE player_spellings (
	spelling_sha256 VARCHAR NOT NULL, 
	spelling VARCHAR, 
	player_id VARCHAR NOT NULL, 
	PRIMARY KEY (spelling_sha256), 
	FOREIGN KEY(player_id) REFERENCES players (player_id)
);
CREATE INDEX ix_player_spellings_player_id ON player_spellings (player_id);
CREATE TABLE seasons (
	opened INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, 
	name VARCHAR NOT NULL, 
	rules VARCHAR NOT NULL
);
CREATE TABLE entrant_notes (
	tournament_id VARCHAR NOT NULL, 
	entrant INTEGER NOT NULL, 
	here_as VARCHAR NOT NULL, 
	email VARCHAR NOT NULL, 
	note VARCHAR NOT NULL, 
	PRIMARY KEY (tournament_id, entrant), 
	FOREIGN KEY(tournament_id) REFERENCES tournaments (tournament_id) ON DELETE CASCADE
);
INSERT INTO players VALUES ('0a1b2c3d4e5f6071', 'Anna Berg', 'Almere', '', 0);
INSERT INTO player_spellings VALUES ('5b0d3a2c', 'Ana Berg', '0a1b2c3d4e5f6071');
INSERT INTO seasons VALUES (1, 'Winter', '{"best":0,"events":[],"how":"sum","places":"","tie":"best"}');
