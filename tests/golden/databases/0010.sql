UPDATE tablescore_version SET version_num = '0010';
CREATE TABLE profiles (
	profile_id VARCHAR NOT NULL, 
	name VARCHAR NOT NULL, 
	colour VARCHAR NOT NULL, 
	initial VARCHAR NOT NULL, 
	emoji VARCHAR NOT NULL, 
	hidden INTEGER NOT NULL, 
	photo BLOB, 
	PRIMARY KEY (profile_id)
);
CREATE TABLE profile_names (
	name VARCHAR NOT NULL, 
	profile_id VARCHAR NOT NULL, 
	PRIMARY KEY (name), 
	FOREIGN KEY(profile_id) REFERENCES profiles (profile_id) ON DELETE CASCADE
);
INSERT INTO profiles VALUES ('0a1b2c3d', 'Anna', 'orange', 'A', '🦊', 0, NULL);
INSERT INTO profiles VALUES ('4e5f6a7b', 'Ben', 'navy', 'BE', '', 1, X'FFD8FFD9');
INSERT INTO profile_names VALUES ('Anna', '0a1b2c3d');
INSERT INTO profile_names VALUES ('anna', '0a1b2c3d');
INSERT INTO profile_names VALUES ('Ben', '4e5f6a7b');
