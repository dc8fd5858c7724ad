CREATE TABLE ended_sessions (
	session_sha256 VARCHAR NOT NULL,
	until VARCHAR NOT NULL,
	PRIMARY KEY (session_sha256)
);
INSERT INTO ended_sessions (session_sha256, until) VALUES ('66f50e5f11fac29a9960f8d3893d66c5f1c8dabd88c715a120628ada432de35c', '2026-11-22T10:33:34.000000+00:00');
UPDATE tablescore_version SET version_num = '0005';
