CREATE TABLE presence (
	table_name VARCHAR NOT NULL,
	heard_at VARCHAR NOT NULL,
	PRIMARY KEY (table_name)
);
INSERT INTO presence (table_name, heard_at) VALUES ('golden-evening-13e51ade/1', '2026-11-21T19:40:01.000000+00:00');
INSERT INTO presence (table_name, heard_at) VALUES ('golden-evening-13e51ade/2', '2026-11-21T19:40:02.000000+00:00');
UPDATE tablescore_version SET version_num = '0003';
