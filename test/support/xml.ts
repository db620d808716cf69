export interface Element {
  name: string;
  attributes: Map<string, string>;
  children: Element[];
  /** Its own text, without that of its children. */
  text: string;
}

const FORBIDDEN = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u;
const ENTITIES = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
]);

/** Takes an XML 1.0 document apart and throws where it is not well-formed: elements, attributes and text only. */
export function parseXml(document: string): Element {
  const bad = FORBIDDEN.exec(document);
  if (bad !== null) throw new Error(`forbidden character at ${bad.index}`);
  const prolog = '<?xml version="1.0" encoding="UTF-8"?>\n';
  if (!document.startsWith(prolog)) throw new Error('no XML declaration');
  const root: Element = { name: '', attributes: new Map(), children: [], text: '' };
  const open = [root];
  const token = /<(\/?)([A-Za-z-]+)((?:\s+[A-Za-z]+="[^"<]*")*)\s*(\/?)>|([^<>]+)/y;
  token.lastIndex = prolog.length;
  while (token.lastIndex < document.length) {
    const at = token.lastIndex;
    const match = token.exec(document);
    if (match === null) throw new Error(`cannot read ${JSON.stringify(document.slice(at, at + 60))}`);
    const [, closing, name, attributes, empty, text] = match;
    const parent = open[open.length - 1];
    if (text !== undefined) {
      parent.text += decoded(text);
    } else if (closing === '/') {
      if (open.length < 2 || parent.name !== name) throw new Error(`</${name}> ends <${parent.name}>`);
      open.pop();
    } else {
      const element: Element = { name, attributes: new Map(), children: [], text: '' };
      for (const [, key, value] of attributes.matchAll(/([A-Za-z]+)="([^"]*)"/g)) {
        if (element.attributes.has(key)) throw new Error(`two attributes ${key}`);
        element.attributes.set(key, decoded(value));
      }
      parent.children.push(element);
      if (empty === '') open.push(element);
    }
  }
  if (open.length > 1 || root.children.length !== 1)
    throw new Error('not one element with all others inside');
  return root.children[0];
}

function decoded(text: string): string {
  return text.replace(/&([^;&]*);?/g, (whole, name: string) => {
    const character = ENTITIES.get(name);
    if (character === undefined || !whole.endsWith(';'))
      throw new Error(`bad reference ${whole.slice(0, 20)}`);
    return character;
  });
}
