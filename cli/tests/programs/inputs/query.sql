CREATE TABLE numbers(n INTEGER PRIMARY KEY, name TEXT);
WITH RECURSIVE up(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM up WHERE n < 400)
INSERT INTO numbers SELECT n, printf('%04d', n * n % 977) FROM up;
CREATE INDEX by_name ON numbers(name);
SELECT count(*), max(a.n + b.n) FROM numbers a JOIN numbers b ON a.name = b.name WHERE a.n < b.n;
