// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Work for SQLite: a database in memory is created, filled, queried in many ways, changed, damaged
 * and repaired.
 */
#include <err.h>
#include <sqlite3.h>
#include <stdio.h>
#include <string.h>

#include "work.h"

static uint64_t sum;

static int add_row(void *context, int n, char **values, char **names)
{
	for (int i = 0; i < n; i++)
		sum = values[i] ? work_add(sum, values[i], strlen(values[i])) : sum + 1;
	return 0;
}

/*
 * Runs @sql, and adds the rows that it returns and the text of an error to the result of the work.
 */
static void run(sqlite3 *db, const char *sql)
{
	char *message = NULL;

	if (sqlite3_exec(db, sql, add_row, NULL, &message) && message)
		sum = work_add(sum, message, strlen(message));
	sqlite3_free(message);
}

static const char *const schema[] = {
	"PRAGMA foreign_keys = ON; PRAGMA recursive_triggers = ON; PRAGMA cache_size = 30",
	"CREATE TABLE struct(id INTEGER PRIMARY KEY, name TEXT UNIQUE COLLATE NOCASE, size INT "
	"CHECK(size >= 0), note)",
	"CREATE TABLE member(struct REFERENCES struct(id) ON DELETE CASCADE, name TEXT, at INT "
	"DEFAULT 8, PRIMARY KEY(struct, name)) "
	"WITHOUT ROWID",
	"CREATE TABLE log(what, n AS (length(what)) STORED)",
	"CREATE INDEX by_size ON struct(size DESC, name) WHERE size > 10",
	"CREATE INDEX by_word ON struct(lower(name) || size)",
	"CREATE TRIGGER noted AFTER UPDATE OF size ON struct WHEN new.size > old.size BEGIN "
	"INSERT INTO log VALUES(old.name || ' grew by ' || (new.size - old.size)); END",
	"CREATE TRIGGER gone AFTER DELETE ON struct BEGIN INSERT INTO log VALUES('gone ' || "
	"old.name); END",
	"CREATE VIEW large AS SELECT name, size FROM struct WHERE size > (SELECT avg(size) FROM "
	"struct)",
	"CREATE TRIGGER into_large INSTEAD OF INSERT ON large BEGIN INSERT INTO struct(name, size) "
	"VALUES(new.name, new.size); END",
};

static const char *const questions[] = {
	"SELECT count(*), sum(size), avg(size), min(name), max(name), total(at) FROM struct JOIN "
	"member ON struct.id = member.struct",
	"SELECT * FROM large ORDER BY size % 7, name DESC LIMIT 5 OFFSET 2",
	"INSERT INTO large VALUES('from a view', 77)",
	"SELECT name, (SELECT group_concat(name, '/') FROM member WHERE struct = s.id) FROM struct "
	"s WHERE name LIKE "
	"'k_%e%' OR name GLOB '*[0-4]'",
	"WITH RECURSIVE up(n, s) AS (SELECT 1, 'x' UNION ALL SELECT n + 1, s || n FROM up WHERE n "
	"< 12) SELECT max(s), sum(n * n) FROM up",
	"SELECT size, row_number() OVER w, sum(size) OVER (ORDER BY size ROWS BETWEEN 2 PRECEDING "
	"AND 1 FOLLOWING), ntile(3) OVER w, "
	"lag(name, 1, '-') OVER w FROM struct WINDOW w AS (PARTITION BY size % 3 ORDER BY size, "
	"id) LIMIT 20",
	"SELECT size % 5 AS m, count(DISTINCT name), json_group_array(size) FROM struct GROUP BY m "
	"HAVING count(*) > 1 ORDER BY 2, 1",
	"SELECT a.name FROM struct a LEFT JOIN struct b ON a.size = b.size + 1 WHERE b.id IS NULL "
	"EXCEPT SELECT name "
	"FROM struct WHERE id < 3",
	"SELECT name FROM struct WHERE size BETWEEN 5 AND 40 UNION SELECT name FROM member "
	"INTERSECT SELECT name FROM struct ORDER BY 1",
	"SELECT json_extract('{\"a\":[1,2.5,{\"b\":null}]}', '$.a[1]'), json_set('[1,2]', '$[2]', "
	"'x'), json_type('{\"q\":{}}', '$.q')",
	"SELECT key, value, fullkey FROM "
	"json_tree('{\"x\":[true,false,{\"y\":\"\\u00e9\"}],\"z\":1e3}')",
	"SELECT printf('%08.3f|%-10s|%+d|%x|%e|%q|%,d', 3.14159, 'left', 42, 255, 12345.678, "
	"'it''s', 1234567), "
	"hex(zeroblob(4)), quote(x'00ff')",
	"SELECT date(2451545.3), time('12:34:56.789', '+90 minutes'), strftime('%Y-%j %W', "
	"'2001-02-03', 'start of "
	"month', '-1 day', 'weekday 2')",
	"SELECT substr('abcdef', -3, 2), replace('aXbX', 'X', 'yy'), trim('  x '), instr('needle', "
	"'dl'), "
	"round(2.675, 2), abs(-7), unicode('\xc3\xa9'), "
	"char(65, 8364), iif(1 > 2, 'a', 'b'), nullif(3, 3), coalesce(NULL, 5), typeof(1.0), "
	"cast('12x' AS INTEGER), "
	"7 / 2, 7 % -3, 1 << 40, ~5",
	"SELECT sqrt(2), pow(2, 0.5), exp(1), ln(10), sin(1), atan2(1, 2), degrees(1), ceil(1.2), "
	"trunc(-1.7), mod(7, 3)",
	"UPDATE struct SET size = size + 3, note = 'touched' WHERE id % 4 = 1",
	"UPDATE struct SET size = o.s FROM (SELECT struct AS i, count(*) AS s FROM member GROUP BY "
	"struct) AS o "
	"WHERE o.i = struct.id AND struct.id % 9 = 0",
	"INSERT INTO struct(name, size) VALUES('twice', 1), ('twice', 2) ON CONFLICT(name) DO "
	"UPDATE SET size = "
	"excluded.size + 100 RETURNING id, size",
	"INSERT OR REPLACE INTO struct SELECT id, name || '!', size, NULL FROM struct WHERE id % "
	"11 = 3",
	"DELETE FROM struct WHERE id % 6 = 2 RETURNING name",
	"SELECT count(*), sum(n), max(what) FROM log",
	"SAVEPOINT one; DELETE FROM member; SAVEPOINT two; INSERT INTO log VALUES(1); ROLLBACK TO "
	"two; ROLLBACK TO one; RELEASE one",
	"INSERT INTO member VALUES(99999, 'nobody', 1)",
	"INSERT INTO struct(size) VALUES(-1)",
	"SELECT * FROM nowhere",
	"SELECT 1 +",
	"ANALYZE; SELECT tbl, stat FROM sqlite_stat1 ORDER BY 1, 2",
	"EXPLAIN QUERY PLAN SELECT * FROM struct WHERE lower(name) || size = 'x' OR size > 20 "
	"ORDER BY size DESC",
	"PRAGMA table_info(struct); PRAGMA index_list(struct); PRAGMA foreign_key_check; PRAGMA "
	"integrity_check; PRAGMA page_count",
	"CREATE VIRTUAL TABLE words USING fts5(body); INSERT INTO words SELECT what FROM log; "
	"SELECT highlight(words, 0, '<', '>') FROM words WHERE words MATCH 'gone OR grew NEAR by' "
	"ORDER BY rank LIMIT 4",
	"REINDEX; VACUUM; DROP INDEX by_size; DROP TABLE member",
	"SELECT count(*) FROM sqlite_master",
};

/* SQL statements that take long. */
static const char *const labours[] = {
	"ALTER TABLE struct ADD COLUMN more DEFAULT 'm'; ALTER TABLE struct RENAME COLUMN note TO "
	"remark; ALTER "
	"TABLE log RENAME TO logbook",
	"CREATE VIRTUAL TABLE boxes USING rtree(id, x0, x1, y0, y1); INSERT INTO boxes SELECT id, "
	"id % 7, id % 7 + "
	"2, size % 5, size % 5 + 1 FROM struct; "
	"SELECT count(*), sum(id) FROM boxes WHERE x0 > 2 AND y1 < 4",
};

static void fill(sqlite3 *db, unsigned int n)
{
	static const char insert[] = "INSERT INTO struct(name, size, note) VALUES(?1, ?2, ?3)";
	static const char members[] =
		"INSERT INTO member(struct, name) VALUES(last_insert_rowid(), 'm' || ?1), "
		"(last_insert_rowid(), 'next')";
	sqlite3_stmt *structs, *others;
	char name[32];

	if (sqlite3_prepare_v2(db, insert, -1, &structs, NULL) ||
	    sqlite3_prepare_v2(db, members, -1, &others, NULL))
		errx(2, "%s", sqlite3_errmsg(db));
	run(db, "BEGIN");
	for (unsigned int i = 0; i < n; i++) {
		snprintf(name, sizeof(name), "%s_%u", i % 3 ? "kobject" : "List", i * 7919 % 1009);
		sqlite3_bind_text(structs, 1, name, -1, SQLITE_TRANSIENT);
		sqlite3_bind_int(structs, 2, i * 31 % 97);
		if (i % 5)
			sqlite3_bind_double(structs, 3, i / 8.0);
		else
			sqlite3_bind_blob(structs, 3, name, 7, SQLITE_STATIC);
		sqlite3_step(structs);
		sqlite3_reset(structs);
		sqlite3_bind_int(others, 1, i);
		sqlite3_step(others);
		sqlite3_reset(others);
	}
	run(db, "COMMIT");
	sqlite3_finalize(structs);
	sqlite3_finalize(others);
}

static void copy(sqlite3 *db)
{
	sqlite3 *other;
	sqlite3_backup *backup;

	sqlite3_open(":memory:", &other);
	backup = sqlite3_backup_init(other, "main", db, "main");
	while (sqlite3_backup_step(backup, 3) == SQLITE_OK)
		;
	sqlite3_backup_finish(backup);
	run(other, "SELECT name FROM sqlite_master ORDER BY 1");
	sqlite3_close(other);
}

uint64_t work_database(unsigned int size)
{
	sqlite3 *db;

	sum = 2;
	if (sqlite3_open(":memory:", &db))
		errx(2, "no database");
	for (size_t i = 0; i < sizeof(schema) / sizeof(schema[0]); i++)
		run(db, schema[i]);
	fill(db, 8 * size);
	for (size_t i = 0; i < sizeof(questions) / sizeof(questions[0]); i++)
		run(db, questions[i]);
	for (size_t i = 0; i < sizeof(labours) / sizeof(labours[0]) && size > 1; i++)
		run(db, labours[i]);
	copy(db);
	sqlite3_close(db);
	return sum;
}

void work_database_init(void)
{
	sqlite3 *db;
	unsigned char bytes[8];

	if (sqlite3_open(":memory:", &db))
		errx(2, "no database");
	/* Seeds SQLite's random numbers, so that they are the same each time. */
	sqlite3_test_control(SQLITE_TESTCTRL_PRNG_SEED, 1, db);
	sqlite3_randomness(sizeof(bytes), bytes);
	sqlite3_test_control(SQLITE_TESTCTRL_PRNG_SAVE);
	sqlite3_close(db);
}
