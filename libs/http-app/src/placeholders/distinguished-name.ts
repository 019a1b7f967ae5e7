import { derElements, oidOf, type DerElement } from './der.ts';

/** Distinguished-name attributes that are printed by name, in output order. */
const attributeNames: ReadonlyMap<string, string> = new Map([
  ['2.5.4.5', 'SERIALNUMBER'],
  ['2.5.4.3', 'CN'],
  ['2.5.4.11', 'OU'],
  ['2.5.4.10', 'O'],
  ['2.5.4.17', 'POSTALCODE'],
  ['2.5.4.9', 'STREET'],
  ['2.5.4.7', 'L'],
  ['2.5.4.8', 'ST'],
  ['2.5.4.6', 'C'],
]);

/** Distinguished-name attributes that can have only one value; the last value applies. For other attributes, multiple values are combined. */
const single: ReadonlySet<string> = new Set(['SERIALNUMBER', 'CN']);

const printableString = 0x13;
const utf8String = 0x0c;
const bmpString = 0x1e;
/** Matches strings that contain only PrintableString characters (X.680 §41.4). */
const printable = /^[A-Za-z0-9 '()+,\-./:=?]*$/;
const special = /[,+"\\<>;]|^[ #]|(?<=.) $/g;

/**
 * Formats the DER content of a distinguished name. Attributes with a name come first, in a fixed order. Other attributes follow in reverse
 * order, as an OID and a hexadecimal value.
 */
export function distinguishedName(content: Buffer): string {
  const named = new Map<string, string[]>();
  const others: string[] = [];
  for (const relative of derElements(content)) {
    for (const attribute of derElements(relative.content)) {
      const [type, value] = derElements(attribute.content);
      if (type === undefined || value === undefined) continue;
      const oid = oidOf(type.content);
      const text = textOf(value);
      const name = attributeNames.get(oid);
      if (name === undefined) others.unshift(`${oid}=#${encoded(text)}`);
      else named.set(name, [...(single.has(name) ? [] : (named.get(name) ?? [])), `${name}=${escaped(text)}`]);
    }
  }
  const inOrder = [...attributeNames.values()].flatMap((name) => named.get(name)?.join('+') ?? []);
  return [...inOrder, ...others].join(',');
}

function escaped(text: string): string {
  return text.replace(special, '\\$&');
}

function textOf({ tag, content }: DerElement): string {
  if (tag === bmpString) return Buffer.from(content).swap16().toString('utf16le');
  return content.toString(tag === utf8String ? 'utf8' : 'latin1');
}

/** Returns a string's DER encoding in hexadecimal. RFC 2253 §2.4 requires this form for attributes without a name. */
function encoded(text: string): string {
  const bytes = Buffer.from(text, 'utf8');
  const size = bytes.length;
  const length = size < 0x80 ? [size] : size < 0x100 ? [0x81, size] : [0x82, size >> 8, size & 0xff];
  const tag = printable.test(text) ? printableString : utf8String;
  return Buffer.concat([Buffer.from([tag, ...length]), bytes]).toString('hex');
}
