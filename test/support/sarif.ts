import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { Ajv } from 'ajv';

/*
 * Whether a document is what SARIF 2.1.0 asks for: by the schema of the standard, and by what the standard and
 * GitHub demand beyond it. Sections of the standard are in parentheses.
 */

const SCHEMA = new URL('../fixtures/sarif/sarif-2.1.0-rtm.5.json', import.meta.url);

/** The part of a document that is looked at without the schema. */
interface Log {
  runs: {
    tool: { driver: { rules: { id: string; properties: { tags: string[] } }[] } };
    results: {
      ruleId: string;
      message: { text: string };
      ruleIndex: number;
      locations: object[];
      relatedLocations?: object[];
      codeFlows?: { threadFlows: { locations: object[] }[] }[];
    }[];
  }[];
}

const isUri = (text: string) => URL.canParse(text);
/** RFC 3986: only characters that a reference may hold. */
const isReference = (text: string) => /^(?:[\w.~!$&'()*+,;=:@/?#[\]-]|%[\dA-Fa-f]{2})*$/.test(text);
const isTime = (text: string) => /^\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:\d\d)$/.test(text);

function compiled() {
  // The schema is of draft 4, of which it uses nothing that later drafts changed but the name of its own address.
  const { $schema: _, id, ...rest } = JSON.parse(readFileSync(SCHEMA, 'utf8'));
  // One of its patterns is none in the stricter syntax for Unicode.
  const ajv = new Ajv({ strictTypes: false, strictRequired: false, unicodeRegExp: false, verbose: true });
  ajv.addFormat('uri', isUri);
  ajv.addFormat('uri-reference', isReference);
  ajv.addFormat('date-time', isTime);
  return ajv.compile({ $id: id, ...rest });
}

let validate: ReturnType<typeof compiled> | null = null;

/** Throws where `document` is not as it should be. */
export function checkSarif(document: unknown): void {
  validate ??= compiled();
  if (!validate(document)) {
    const [{ instancePath, message, data }] = validate.errors ?? [];
    throw new Error(`${instancePath} ${message}: ${JSON.stringify(data)?.slice(0, 100)}`);
  }
  const log = document as Log;
  checkTexts(document, '$');
  for (const run of log.runs) checkRun(run);
  checkLimits(log);
}

function demand(holds: boolean, what: string): void {
  if (!holds) throw new Error(what);
}

/** What the standard says in words. */
function checkRun({ tool, results }: Log['runs'][number]): void {
  const { rules } = tool.driver;
  demand(new Set(rules.map(({ id }) => id)).size === rules.length, 'two rules have one id (3.49.3)');
  for (const { ruleId, ruleIndex } of results)
    demand(rules[ruleIndex]?.id === ruleId, `rule ${ruleId} is not at ${ruleIndex} (3.27.6)`);
}

const OWN_LINK = /(?<!\\)\[((?:[^[\]\\]|\\.)*)\]\((\d+)\)/g;

/** Links lead nowhere but to files, and no message has a placeholder or a link from a trace in it (3.11). */
function checkTexts(value: unknown, path: string): void {
  if (typeof value !== 'object' || value === null) return;
  for (const [key, item] of Object.entries(value)) {
    const where = `${path}.${key}`;
    if (key === 'uri') {
      const { protocol, host } = new URL(item as string, 'file:///base/');
      demand(protocol === 'file:' && host === '', `${where} is no place in files: ${item}`);
    } else if (key === 'text') {
      demand(item !== '', `${where} is empty`);
      demand(!/(?<!\{)\{\d+\}(?!\})/.test(item), `${where} has a placeholder: ${item}`);
      // But those of ours, to related locations (3.11.6).
      const others = /^\$\.runs\.\d+\.results\.\d+\.message\.text$/.test(where)
        ? item.replaceAll(OWN_LINK, '')
        : item;
      demand(!/(?<!\\)\]\(/.test(others), `${where} has a link: ${item}`);
    } else {
      checkTexts(item, where);
    }
  }
}

/** What GitHub takes, or shows, of a file. */
function checkLimits(log: Log): void {
  demand(log.runs.length === 1, 'one run is expected');
  for (const { tool, results } of log.runs) {
    demand(results.length <= 25_000, 'too many results');
    for (const { properties } of tool.driver.rules) demand(properties.tags.length <= 10, 'too many tags');
    for (const { message, locations, relatedLocations = [], codeFlows = [] } of results) {
      for (const [, , id] of message.text.matchAll(OWN_LINK))
        demand(Number(id) < relatedLocations.length, `a link leads nowhere: ${message.text}`);
      demand(locations.length >= 1 && locations.length <= 100, 'a result needs a location');
      demand(relatedLocations.length <= 100, 'too many related locations');
      const flows = codeFlows.flatMap(({ threadFlows }) => threadFlows);
      const steps = flows.reduce((sum, flow) => sum + flow.locations.length, 0);
      demand(steps <= 1000, 'too many locations in a code flow');
    }
  }
  demand(gzipSync(JSON.stringify(log)).length <= 10_000_000, 'more than 10 MB when compressed');
}
