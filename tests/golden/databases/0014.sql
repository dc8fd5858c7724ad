UPDATE tablescore_version SET version_num = '0014';
CREATE TABLE hub_messages (
	message_id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, 
	tournament_id VARCHAR NOT NULL, 
	addressee VARCHAR NOT NULL, 
	text VARCHAR NOT NULL, 
	sent_at VARCHAR NOT NULL, 
	sent_by VARCHAR NOT NULL, 
	FOREIGN KEY(tournament_id) REFERENCES tournaments (tournament_id)
);
CREATE TABLE hub_messages_seen (
	message_id INTEGER NOT NULL, 
	entrant INTEGER NOT NULL, 
	PRIMARY KEY (message_id, entrant), 
	FOREIGN KEY(message_id) REFERENCES hub_messages (message_id) ON DELETE CASCADE
);
INSERT INTO hub_messages VALUES (1, 'golden-evening-13e51ade', 'all', 'Lunch at one.', '2026-11-21T19:30:10+00:00', 'Dana');
INSERT INTO hub_messages_seen VALUES (1, 3);
