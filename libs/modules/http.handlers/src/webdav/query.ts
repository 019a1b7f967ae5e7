/** Parses the selection of properties in a PROPFIND request (RFC 4918 §9.1). */
import { escapeXml } from '@sluice/base';
import { HttpError } from '@sluice/http-app';
import { davChild, davNamespace, isDav, type XmlNode } from './xml.ts';

/** Maximum number of property names in a request. The response repeats each name for every resource that lacks the property. */
const maxNames = 256;

export interface PropertyName {
  readonly namespace: string;
  readonly name: string;
}

/**
 * `all` selects the live properties of RFC 4918, all dead properties, and the properties in `names`. `names` selects property names without
 * values. `some` selects only the properties in `names`.
 */
export interface Query {
  readonly kind: 'all' | 'names' | 'some';
  readonly names: readonly PropertyName[];
}

/** Parses a `propfind` element. A request without a body selects all properties. */
export function queryOf(body: XmlNode | null): Query {
  if (body === null) return { kind: 'all', names: [] };
  if (!isDav(body, 'propfind')) throw new HttpError(400, 'the request body is not a propfind element');
  const some = davChild(body, 'prop');
  if (some !== undefined) return { kind: 'some', names: namesIn(some) };
  if (davChild(body, 'propname') !== undefined) return { kind: 'names', names: [] };
  if (davChild(body, 'allprop') === undefined)
    throw new HttpError(400, 'a propfind element must contain prop, propname or allprop');
  const include = davChild(body, 'include');
  return { kind: 'all', names: include === undefined ? [] : namesIn(include) };
}

function namesIn({ children }: XmlNode): PropertyName[] {
  if (children.length > maxNames)
    throw new HttpError(400, `a PROPFIND request can name at most ${maxNames} properties`);
  return children.map(({ namespace, name }) => ({ namespace, name }));
}

/** Reports whether a query selects a property by name. */
export function isNamed({ names: all }: Query, name: string): boolean {
  return all.some((each) => each.namespace === davNamespace && each.name === name);
}

/** Namespace prefixes of an XML response. The response's root element declares all of them. */
export class Prefixes {
  readonly #prefixes = new Map<string, string>([[davNamespace, 'D']]);

  constructor(all: readonly PropertyName[]) {
    for (const { namespace } of all)
      if (namespace !== '' && !this.#prefixes.has(namespace)) this.#prefixes.set(namespace, `n${this.#prefixes.size}`);
  }

  /** Returns the namespace declarations, to be inserted after the root element's name. */
  get declarations(): string {
    let text = '';
    for (const [namespace, prefix] of this.#prefixes) text += ` xmlns:${prefix}="${escapeXml(namespace)}"`;
    return text;
  }

  /** Returns an empty XML element for a property. */
  empty({ namespace, name }: PropertyName): string {
    // Elements without a namespace must not inherit a default namespace. The response therefore declares no default namespace.
    return namespace === '' ? `<${name}/>` : `<${this.#prefixes.get(namespace) ?? 'D'}:${name}/>`;
  }
}
