UPDATE tablescore_version SET version_num = '0011';
CREATE TABLE score_photos (
	game_id VARCHAR NOT NULL, 
	step INTEGER NOT NULL, 
	taken_at VARCHAR NOT NULL, 
	jpeg BLOB NOT NULL, 
	seen VARCHAR NOT NULL, 
	PRIMARY KEY (game_id, step), 
	FOREIGN KEY(game_id) REFERENCES games (game_id) ON DELETE CASCADE
);
INSERT INTO score_photos VALUES ('leaving', 1, '2026-11-21T19:30:10+00:00', X'FFD8FFD9', '{}');
