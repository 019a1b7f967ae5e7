/**
 * XML of WebDAV requests and responses. Size, depth and names are limited, because clients send these documents. Document type declarations
 * are rejected, so entities are never expanded.
 */
import { parseXml, XmlDocumentType, XmlElement, XmlText } from '@rgrove/parse-xml';
import { escapeXml, messageOf } from '@sluice/base';
import { HttpError, isHttpError, type RequestBody } from '@sluice/http-app';

export const davNamespace = 'DAV:';
const xmlNamespace = 'http://www.w3.org/XML/1998/namespace';

const maxDepth = 64;
/** Maximum number of namespace declarations in scope. Each element with declarations copies the declarations of its parent. */
const maxDeclarations = 256;
/** Maximum length of an XML name. The response repeats the name for every resource. */
const maxNameLength = 1024;
const nameStart = /^[^\d.:-][^:]*$/;

/** Namespaces in the scope of an element, keyed by prefix. */
type Scope = ReadonlyMap<string, string>;

/** An XML element with its namespace resolved. */
export interface XmlNode {
  readonly namespace: string;
  readonly name: string;
  readonly children: readonly XmlNode[];
  readonly text: string;
  /** Element as returned by the XML parser, for {@link serialize}. */
  readonly source: XmlElement;
  readonly scope: Scope;
  readonly language: string;
}

/** Reads and parses a request body. Returns `null` if the request has no body. */
export async function readXml(body: RequestBody, limit: number): Promise<XmlNode | null> {
  const bytes = await body.bytes(limit);
  return bytes.length === 0 ? null : parseDocument(bytes);
}

/** Parses an XML document. Throws an `HttpError` with status 400 if the document is not well-formed or exceeds a limit. */
export function parseDocument(bytes: Buffer): XmlNode {
  try {
    const document = parseXml(decode(bytes), { preserveDocumentType: true });
    if (document.children.some((child) => child instanceof XmlDocumentType))
      throw invalid('document type declarations (DOCTYPE) are not supported');
    if (document.root === null) throw invalid('the document has no root element');
    return resolve(document.root, new Map([['xml', xmlNamespace]]), '', 1);
  } catch (error) {
    throw isHttpError(error) ? error : invalid(messageOf(error).split('\n', 1)[0] ?? '', error);
  }
}

function invalid(problem: string, cause?: unknown): HttpError {
  return new HttpError(400, `the request body is not valid XML: ${problem}`, cause);
}

/** Decodes an XML document as UTF-8, or as UTF-16 if it starts with a byte order mark (XML 1.0 §4.3.3). */
function decode(bytes: Buffer): string {
  const mark = bytes.length < 2 ? 0 : bytes.readUInt16BE(0);
  const encoding = mark === 0xfeff ? 'utf-16be' : mark === 0xfffe ? 'utf-16le' : 'utf-8';
  return new TextDecoder(encoding, { fatal: true }).decode(bytes);
}

function resolve(source: XmlElement, outer: Scope, outerLanguage: string, depth: number): XmlNode {
  if (depth > maxDepth) throw invalid(`elements are nested more than ${maxDepth} levels deep`);
  const scope = scopeOf(source, outer);
  const [prefix, name] = split(source.name);
  const namespace = namespaceOf(prefix, scope);
  if (name.length > maxNameLength) throw invalid('an element name is too long');
  for (const attribute of Object.keys(source.attributes)) {
    const [attributePrefix] = split(attribute);
    if (attributePrefix !== '' && attributePrefix !== 'xmlns') namespaceOf(attributePrefix, scope);
  }
  const language = source.attributes['xml:lang'] ?? outerLanguage;
  const children: XmlNode[] = [];
  let text = '';
  for (const child of source.children) {
    if (child instanceof XmlElement) children.push(resolve(child, scope, language, depth + 1));
    else if (child instanceof XmlText) text += child.text;
  }
  return { namespace, name, children, text, source, scope, language };
}

function scopeOf({ attributes }: XmlElement, outer: Scope): Scope {
  let scope: Map<string, string> | null = null;
  for (const [attribute, value] of Object.entries(attributes)) {
    const isDefault = attribute === 'xmlns';
    if (!isDefault && !attribute.startsWith('xmlns:')) continue;
    const prefix = isDefault ? '' : attribute.slice('xmlns:'.length);
    // Only the default namespace can be undeclared (Namespaces in XML 1.0 §5).
    if (!isDefault && (value === '' || prefix === 'xmlns' || prefix === 'xml'))
      throw invalid(`invalid declaration of the namespace prefix ${JSON.stringify(prefix)}`);
    if (value.length > maxNameLength) throw invalid('a namespace name is too long');
    scope ??= new Map(outer);
    scope.set(prefix, value);
    if (scope.size > maxDeclarations) throw invalid(`the document declares more than ${maxDeclarations} namespaces`);
  }
  return scope ?? outer;
}

/** Splits a qualified XML name into prefix and local name. */
function split(name: string): [prefix: string, local: string] {
  const colon = name.indexOf(':');
  if (colon < 0) return ['', name];
  const local = name.slice(colon + 1);
  if (colon === 0 || !nameStart.test(local)) throw invalid(`${JSON.stringify(name)} is not a valid qualified XML name`);
  return [name.slice(0, colon), local];
}

function namespaceOf(prefix: string, scope: Scope): string {
  const found = scope.get(prefix);
  if (found === undefined && prefix !== '')
    throw invalid(`the namespace prefix ${JSON.stringify(prefix)} is not declared`);
  return found ?? '';
}

export function isDav(node: XmlNode, name: string): boolean {
  return node.namespace === davNamespace && node.name === name;
}

/** Returns the first child element with this name in the namespace `DAV:`, if any. */
export function davChild(node: XmlNode, name: string): XmlNode | undefined {
  return node.children.find((child) => isDav(child, name));
}

/**
 * Serializes an element for embedding in any document, with the namespaces and the language that it inherits. Throws an error with status
 * 413 if the result exceeds `limit` characters.
 */
export function serialize({ source, scope, language }: XmlNode, limit: number): string {
  const used = new Set<string>();
  collectPrefixes(source, used);
  let inherited = '';
  for (const prefix of used) {
    const attribute = prefix === '' ? 'xmlns' : `xmlns:${prefix}`;
    const namespace = scope.get(prefix) ?? '';
    // Responses never declare a default namespace, so unprefixed names need no declaration.
    if (prefix !== 'xml' && namespace !== '' && source.attributes[attribute] === undefined)
      inherited += ` ${attribute}="${escapeXml(namespace)}"`;
  }
  if (language !== '' && source.attributes['xml:lang'] === undefined) inherited += ` xml:lang="${escapeXml(language)}"`;
  const text = write(source, inherited);
  if (text.length > limit) throw new HttpError(413, `an element of the request body exceeds ${limit} characters`);
  return text;
}

function collectPrefixes(element: XmlElement, used: Set<string>): void {
  used.add(split(element.name)[0]);
  for (const attribute of Object.keys(element.attributes)) {
    const [prefix] = split(attribute);
    if (prefix !== '' && prefix !== 'xmlns') used.add(prefix);
  }
  for (const child of element.children) if (child instanceof XmlElement) collectPrefixes(child, used);
}

/** Serializes an element. Drops comments and processing instructions, as RFC 4918 §4.3 permits. */
function write(element: XmlElement, inherited: string): string {
  let text = `<${element.name}${inherited}`;
  for (const [name, value] of Object.entries(element.attributes)) text += ` ${name}="${escapeXml(value)}"`;
  let content = '';
  for (const child of element.children) {
    if (child instanceof XmlElement) content += write(child, '');
    else if (child instanceof XmlText) content += escapeXml(child.text);
  }
  return content === '' ? `${text}/>` : `${text}>${content}</${element.name}>`;
}
