/*
 * What the schema of SARIF 2.1.0 and the standard demand of the objects that we write, and nothing about those
 * that we do not. Written from the standard; the sections are in parentheses.
 */

type Value = Record<string, unknown>;
type Check = (value: unknown, path: string) => void;

function fail(path: string, expected: string, value: unknown): never {
  throw new Error(`${path}: expected ${expected}, found ${JSON.stringify(value)?.slice(0, 100)}`);
}

const string: Check = (value, path) => {
  if (typeof value !== 'string') fail(path, 'a string', value);
};
const nonEmpty: Check = (value, path) => {
  if (typeof value !== 'string' || value === '') fail(path, 'a string with something in it', value);
};
const boolean: Check = (value, path) => {
  if (typeof value !== 'boolean') fail(path, 'true or false', value);
};
const object: Check = (value, path) => {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) fail(path, 'an object', value);
};
const atLeast =
  (least: number): Check =>
  (value, path) => {
    if (!Number.isInteger(value) || (value as number) < least) fail(path, `an integer ≥ ${least}`, value);
  };
const oneOf =
  (...values: string[]): Check =>
  (value, path) => {
    if (!values.includes(value as string)) fail(path, values.join(' | '), value);
  };
const listOf =
  (check: Check, least = 0, most = Number.POSITIVE_INFINITY): Check =>
  (value, path) => {
    if (!Array.isArray(value) || value.length < least || value.length > most)
      fail(path, `${least} to ${most} items`, value);
    for (const [i, item] of (value as unknown[]).entries()) check(item, `${path}[${i}]`);
  };
const mapOf =
  (check: Check): Check =>
  (value, path) => {
    object(value, path);
    for (const [key, item] of Object.entries(value as Value)) check(item, `${path}.${key}`);
  };

/** An object with these properties and no others; those that end in `?` may be missing. */
function shape(properties: Record<string, Check>, rest?: Check): Check {
  const known = new Map(Object.entries(properties).map(([name, check]) => [name.replace('?', ''), check]));
  return (value, path) => {
    object(value, path);
    for (const [name, item] of Object.entries(value as Value)) {
      const check = known.get(name);
      if (check === undefined) fail(`${path}.${name}`, 'no such property', item);
      check?.(item, `${path}.${name}`);
    }
    for (const name of Object.keys(properties)) {
      if (!name.endsWith('?') && !Object.hasOwn(value as Value, name)) fail(path, name, value);
    }
    rest?.(value, path);
  };
}

/** A URI reference (RFC 3986): only characters that it may hold, and no scheme but file. */
const uri: Check = (value, path) => {
  if (typeof value !== 'string' || !/^(?:[\w.~!$&'()*+,;=:@/-]|%[\dA-Fa-f]{2})*$/.test(value))
    fail(path, 'a URI reference', value);
  const { protocol, host } = new URL(value as string, 'file:///base/');
  if (protocol !== 'file:' || host !== '') fail(path, 'a place in files', value);
};

/** A message string (3.11): no placeholder without an argument, no embedded link. */
const message = shape({ text: nonEmpty }, (value, path) => {
  const { text } = value as { text: string };
  if (/(?<!\{)\{\d+\}(?!\})/.test(text)) fail(path, 'no placeholder', text);
  if (/(?<!\\)\]\(/.test(text)) fail(path, 'no link', text);
});

const region = shape({ startLine: atLeast(1), 'startColumn?': atLeast(1) });
const physicalLocation = shape({ artifactLocation: shape({ uri }), 'region?': region });
const logicalLocation = shape({ 'name?': string, 'fullyQualifiedName?': string, 'kind?': string });
const location = shape({
  'id?': atLeast(0),
  'physicalLocation?': physicalLocation,
  'logicalLocations?': listOf(logicalLocation),
  'message?': message,
});
const threadFlow = shape({
  'id?': string,
  'message?': message,
  locations: listOf(
    shape({
      location,
      executionOrder: atLeast(0),
      importance: oneOf('important', 'essential', 'unimportant'),
    }),
    1,
    1000,
  ),
});
const level = oneOf('none', 'note', 'warning', 'error');
const notification = shape({ level, message, 'locations?': listOf(location) });
const rule = shape({
  id: nonEmpty,
  name: nonEmpty,
  shortDescription: message,
  fullDescription: message,
  help: message,
  defaultConfiguration: shape({ level }),
  properties: shape({ tags: listOf(nonEmpty, 0, 10) }),
});
const result = shape({
  ruleId: nonEmpty,
  ruleIndex: atLeast(0),
  level,
  message,
  locations: listOf(location, 1, 100),
  partialFingerprints: mapOf(nonEmpty),
  'codeFlows?': listOf(shape({ threadFlows: listOf(threadFlow, 1) }), 1),
  'relatedLocations?': listOf(location, 1, 100),
  properties: object,
});
const run = shape(
  {
    tool: shape({
      driver: shape({ name: nonEmpty, version: nonEmpty, semanticVersion: nonEmpty, rules: listOf(rule) }),
    }),
    columnKind: oneOf('utf16CodeUnits', 'unicodeCodePoints'),
    results: listOf(result, 0, 25_000),
    invocations: listOf(
      shape({ executionSuccessful: boolean, toolExecutionNotifications: listOf(notification) }),
      1,
      1,
    ),
  },
  (value, path) => {
    // 3.27.6: the index and the id name the same rule.
    const { tool, results } = value as {
      tool: { driver: { rules: { id: string }[] } };
      results: { ruleId: string; ruleIndex: number }[];
    };
    const { rules } = tool.driver;
    if (new Set(rules.map(({ id }) => id)).size < rules.length) fail(path, 'rules with different ids', rules);
    for (const { ruleId, ruleIndex } of results) {
      if (rules[ruleIndex]?.id !== ruleId) fail(path, `rule ${ruleId} at ${ruleIndex}`, rules[ruleIndex]);
    }
  },
);

/** Throws where `document` is not what the standard asks for. */
export const checkSarif: (document: unknown) => void = (document) =>
  shape({ $schema: nonEmpty, version: oneOf('2.1.0'), runs: listOf(run, 1, 1) })(document, '$');
