UPDATE tablescore_version SET version_num = '0009';
CREATE TABLE devices (
	device_id VARCHAR NOT NULL, 
	name VARCHAR NOT NULL, 
	role VARCHAR NOT NULL, 
	secret_sha256 VARCHAR NOT NULL, 
	created_at VARCHAR NOT NULL, 
	used_at VARCHAR, 
	revoked_at VARCHAR, 
	PRIMARY KEY (device_id), 
	UNIQUE (secret_sha256)
);
INSERT INTO devices VALUES ('5f0c1d2e', 'Phone', 'player', '7692c3ad3540bb803c020b3aee66cd8887123234ea0c6e7143c0add73ff431ed', '2026-11-25T10:00:00+00:00', NULL, NULL);
INSERT INTO devices VALUES ('6a1b2c3d', 'Lost tablet', 'owner', '3fc4ccfe745870e2c0d99f71f30ff0656c8dedd41cc1d7d3d376b0dbe685e2f3', '2026-11-25T10:01:00+00:00', '2026-11-25T11:00:00+00:00', '2026-11-25T12:00:00+00:00');
