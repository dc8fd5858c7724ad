CREATE TABLE standings (
	game_id VARCHAR NOT NULL,
	events INTEGER NOT NULL,
	checksum BIGINT NOT NULL,
	finished INTEGER NOT NULL,
	abandoned INTEGER NOT NULL,
	totals VARCHAR NOT NULL,
	PRIMARY KEY (game_id),
	FOREIGN KEY(game_id) REFERENCES games (game_id) ON DELETE CASCADE
);
UPDATE tablescore_version SET version_num = '0004';
