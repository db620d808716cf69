import { TOLD_CODE } from '../node/stores/sql/told.ts';

/*
 * What makes a database of PostgreSQL tell which rows are changed (src/node/stores/sql/told.ts takes it). A message of the level INFO
 * reaches the client whatever that has asked for, together with the answer to its statement, and is in no log. The trigger of a
 * partition is one of the table, by whose name statements call it.
 */

export const CLEAN = `DROP SCHEMA IF EXISTS trackside CASCADE;
SELECT 0;
`;

/** Longer values are not told: nobody compares them. */
const LONGEST = 200;

export const PREPARE = `BEGIN;
DROP SCHEMA IF EXISTS trackside CASCADE;
CREATE SCHEMA trackside;
GRANT USAGE ON SCHEMA trackside TO PUBLIC;
CREATE SEQUENCE trackside.step;
GRANT USAGE ON SEQUENCE trackside.step TO PUBLIC;
CREATE FUNCTION trackside.tell() RETURNS trigger LANGUAGE plpgsql AS $tell$
DECLARE
  before jsonb := CASE WHEN TG_OP = 'INSERT' THEN '{}' ELSE to_jsonb(OLD) END;
  after jsonb := CASE WHEN TG_OP = 'DELETE' THEN '{}' ELSE to_jsonb(NEW) END;
  one jsonb := CASE WHEN TG_OP = 'DELETE' THEN before ELSE after END;
BEGIN
  RAISE INFO USING ERRCODE = '${TOLD_CODE}', MESSAGE = jsonb_build_object(
    'schema', TG_ARGV[0],
    'table', TG_ARGV[1],
    'op', TG_OP,
    'key', (SELECT jsonb_agg(one ->> name ORDER BY place)
            FROM unnest(TG_ARGV[2:]) WITH ORDINALITY AS listed (name, place)),
    'changed', (SELECT jsonb_object_agg(key, jsonb_build_array(before -> key, after -> key))
                FROM jsonb_object_keys(before || after) AS key
                WHERE before -> key IS DISTINCT FROM after -> key
                  AND coalesce(length((before -> key)::text), 0) + coalesce(length((after -> key)::text), 0) <= ${LONGEST}),
    'step', nextval('trackside.step'))::text;
  RETURN NULL;
END
$tell$;
DO $prepare$
DECLARE
  each record;
BEGIN
  FOR each IN
    SELECT n.nspname AS schema, c.relname AS name,
           (SELECT string_agg(quote_literal(a.attname), ', ' ORDER BY array_position(i.indkey::int2[], a.attnum))
            FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attnum = ANY (i.indkey)) AS key
    FROM pg_class c
    JOIN pg_namespace n ON n.oid = c.relnamespace
    JOIN pg_index i ON i.indrelid = c.oid AND i.indisprimary
    WHERE c.relkind IN ('r', 'p') AND NOT c.relispartition
      AND n.nspname <> 'information_schema' AND n.nspname !~ '^pg_'
  LOOP
    EXECUTE format('CREATE TRIGGER trackside_tell AFTER INSERT OR UPDATE OR DELETE ON %I.%I FOR EACH ROW EXECUTE FUNCTION trackside.tell(%L, %L, %s)',
                   each.schema, each.name, each.schema, each.name, each.key);
  END LOOP;
END
$prepare$;
COMMIT;
SELECT count(*) FROM pg_trigger WHERE tgname = 'trackside_tell' AND tgparentid = 0;
`;
