UPDATE tablescore_version SET version_num = '0007';
CREATE TABLE bin (
	game_id VARCHAR NOT NULL,
	deleted_at VARCHAR NOT NULL,
	PRIMARY KEY (game_id),
	FOREIGN KEY(game_id) REFERENCES games (game_id) ON DELETE CASCADE
);
INSERT INTO bin VALUES('yams-duel','2026-11-28T20:00:00+00:00');
