/** PostgreSQL tables of fleet stores, and their SQL statements. Each statement is a transaction. All times are the server's. */

/** SQL statements for one database schema. */
export type Statements = ReturnType<typeof statementsIn>;

/** Returns SQL that creates missing tables in a schema. The schema name must be quoted. Concurrent executions wait for each other. */
export function creationIn(schema: string): string {
  return `
BEGIN;
SELECT pg_advisory_xact_lock(7308339910);
CREATE SCHEMA IF NOT EXISTS ${schema};
CREATE TABLE IF NOT EXISTS ${schema}.fleet_head (cluster text PRIMARY KEY, head text NOT NULL);
CREATE TABLE IF NOT EXISTS ${schema}.fleet_log (
  cluster text, rev bigint, op text NOT NULL, entry text NOT NULL, PRIMARY KEY (cluster, rev), UNIQUE (cluster, op));
CREATE TABLE IF NOT EXISTS ${schema}.fleet_snapshot (cluster text PRIMARY KEY, rev bigint NOT NULL, snapshot text NOT NULL);
CREATE TABLE IF NOT EXISTS ${schema}.fleet_lease (
  cluster text, name text, token text NOT NULL, value text NOT NULL, expires timestamptz NOT NULL, PRIMARY KEY (cluster, name));
CREATE TABLE IF NOT EXISTS ${schema}.fleet_value (
  cluster text, key text, value text NOT NULL, token text, PRIMARY KEY (cluster, key));
COMMIT`;
}

const live = 'expires > clock_timestamp()';

export function statementsIn(schema: string) {
  const [head, log, snapshot, lease, value] = ['head', 'log', 'snapshot', 'lease', 'value'].map(
    (name) => `${schema}.fleet_${name}`,
  );
  /**
   * Returns the statement that appends to the log. Parameters: cluster, base, next head, revisions, operations, texts, channel. `moves` is
   * the SQL that changes the log head.
   */
  const swap = (moves: string): string => `
WITH known AS (SELECT rev FROM ${log} WHERE cluster = $1 AND op = ANY($5::text[])),
  moved AS (${moves}),
  added AS (INSERT INTO ${log} (cluster, rev, op, entry)
    SELECT $1, * FROM unnest($4::bigint[], $5::text[], $6::text[]) WHERE EXISTS (SELECT FROM moved))
SELECT EXISTS (SELECT FROM moved) AS moved, CASE WHEN EXISTS (SELECT FROM moved) THEN pg_notify($7, '') END`;
  return {
    head: `SELECT head FROM ${head} WHERE cluster = $1`,
    /** Appends to the log if there is no head yet. */
    begin: swap(`INSERT INTO ${head} (cluster, head) SELECT $1, $3
    WHERE $2::text IS NULL AND NOT EXISTS (SELECT FROM known) ON CONFLICT DO NOTHING RETURNING cluster`),
    /** Appends to the log if the head equals the base. */
    swap: swap(
      `UPDATE ${head} SET head = $3 WHERE cluster = $1 AND head = $2 AND NOT EXISTS (SELECT FROM known) RETURNING cluster`,
    ),
    /** Finds the reason why an append failed. Parameters: cluster, operations. */
    why: `SELECT (SELECT head FROM ${head} WHERE cluster = $1) AS head,
  (SELECT min(rev) FROM ${log} WHERE cluster = $1 AND op = ANY($2::text[])) AS known`,
    /** Reads a consistent snapshot of the log. Parameters: cluster, from, to, maximum number of entries. */
    read: `SELECT (SELECT head FROM ${head} WHERE cluster = $1) AS head,
  ARRAY(SELECT entry FROM ${log} WHERE cluster = $1 AND rev BETWEEN $2 AND $3 ORDER BY rev LIMIT $4) AS entries`,
    find: `SELECT rev FROM ${log} WHERE cluster = $1 AND op = $2`,
    trim: `DELETE FROM ${log} WHERE cluster = $1 AND rev < $2`,
    snapshot: `SELECT snapshot FROM ${snapshot} WHERE cluster = $1`,
    /** Stores a snapshot of the document. Parameters: cluster, rev, text. */
    saveSnapshot: `INSERT INTO ${snapshot} AS old (cluster, rev, snapshot) VALUES ($1, $2, $3)
ON CONFLICT (cluster) DO UPDATE SET rev = excluded.rev, snapshot = excluded.snapshot WHERE old.rev < excluded.rev`,
    /** Acquires a lease. Also removes values bound to expired leases. Parameters: cluster, name, token, value, milliseconds. */
    lease: `
WITH old AS (DELETE FROM ${value} AS bound WHERE cluster = $1 AND token IS NOT NULL
    AND NOT EXISTS (SELECT FROM ${lease} AS other WHERE other.cluster = $1 AND other.token = bound.token AND other.${live}))
INSERT INTO ${lease} AS held (cluster, name, token, value, expires)
VALUES ($1, $2, $3, $4, clock_timestamp() + $5 * interval '1 millisecond')
ON CONFLICT (cluster, name) DO UPDATE SET token = excluded.token, value = excluded.value, expires = excluded.expires
  WHERE NOT held.${live} OR held.token = excluded.token
RETURNING token`,
    /** Renews a lease. Parameters: cluster, name, token, milliseconds. */
    renew: `UPDATE ${lease} SET expires = clock_timestamp() + $4 * interval '1 millisecond'
WHERE cluster = $1 AND name = $2 AND token = $3 AND ${live} RETURNING token`,
    /** Releases a lease. Parameters: cluster, name, token. */
    release: `WITH gone AS (DELETE FROM ${value} WHERE cluster = $1 AND token = $3)
DELETE FROM ${lease} WHERE cluster = $1 AND name = $2 AND token = $3`,
    leases: `SELECT name AS key, value FROM ${lease} WHERE cluster = $1 AND ${live}`,
    /**
     * Writes values under a lease. The lease's row stays locked until the transaction ends. Parameters: cluster, name, token; keys to
     * remove; keys and values to set, and which of them are bound to the lease.
     */
    transaction: `
WITH held AS (SELECT token FROM ${lease} WHERE cluster = $1 AND name = $2 AND token = $3 AND ${live} FOR UPDATE),
  removed AS (DELETE FROM ${value} WHERE cluster = $1 AND key = ANY($4::text[]) AND EXISTS (SELECT FROM held)),
  written AS (INSERT INTO ${value} (cluster, key, value, token)
    SELECT $1, key, value, CASE WHEN bound THEN $3 END
    FROM unnest($5::text[], $6::text[], $7::boolean[]) AS rows (key, value, bound) WHERE EXISTS (SELECT FROM held)
    ON CONFLICT (cluster, key) DO UPDATE SET value = excluded.value, token = excluded.token)
SELECT EXISTS (SELECT FROM held) AS held`,
    values: `SELECT key, value FROM ${value} AS bound WHERE cluster = $1 AND (token IS NULL
  OR EXISTS (SELECT FROM ${lease} AS other WHERE other.cluster = $1 AND other.token = bound.token AND other.${live}))`,
  };
}
