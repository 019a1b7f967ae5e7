/** Properties that a PROPFIND request selects (RFC 4918 §9.1). */
import { escapeXml } from '@sluice/base';
import { HttpError } from '@sluice/http-app';
import { davChild, davNamespace, isDav, type XmlNode } from './xml.ts';

/** Maximum number of names, because the response repeats them for every resource that lacks the property. */
const maxNames = 256;

export interface PropertyName {
  readonly namespace: string;
  readonly name: string;
}

/**
 * `all` selects the live properties of RFC 4918, all dead properties, and `names`. `names` selects property names
 * without values. `some` selects only the properties in `names`.
 */
export interface Query {
  readonly kind: 'all' | 'names' | 'some';
  readonly names: readonly PropertyName[];
}

/** Reads a `propfind` element; a request without a body selects all properties. */
export function queryOf(body: XmlNode | null): Query {
  if (body === null) return { kind: 'all', names: [] };
  if (!isDav(body, 'propfind')) throw new HttpError(400, 'the request body is not a propfind element');
  const some = davChild(body, 'prop');
  if (some !== undefined) return { kind: 'some', names: namesIn(some) };
  if (davChild(body, 'propname') !== undefined) return { kind: 'names', names: [] };
  if (davChild(body, 'allprop') === undefined)
    throw new HttpError(400, 'a propfind element requires prop, propname or allprop');
  const include = davChild(body, 'include');
  return { kind: 'all', names: include === undefined ? [] : namesIn(include) };
}

function namesIn({ children }: XmlNode): PropertyName[] {
  if (children.length > maxNames) throw new HttpError(400, `a request may name at most ${maxNames} properties`);
  return children.map(({ namespace, name }) => ({ namespace, name }));
}

/** Reports whether a property is selected by name. */
export function isNamed({ names: all }: Query, name: string): boolean {
  return all.some((each) => each.namespace === davNamespace && each.name === name);
}

/** Prefixes for namespaces in a response, declared once on its root element. */
export class Prefixes {
  readonly #prefixes = new Map<string, string>([[davNamespace, 'D']]);

  constructor(all: readonly PropertyName[]) {
    for (const { namespace } of all)
      if (namespace !== '' && !this.#prefixes.has(namespace)) this.#prefixes.set(namespace, `n${this.#prefixes.size}`);
  }

  /** Returns the declarations, which follow the name of the root element. */
  get declarations(): string {
    let text = '';
    for (const [namespace, prefix] of this.#prefixes) text += ` xmlns:${prefix}="${escapeXml(namespace)}"`;
    return text;
  }

  /** Returns a property as an empty element. */
  empty({ namespace, name }: PropertyName): string {
    // Elements without a namespace must not inherit a default namespace, so the response declares none.
    return namespace === '' ? `<${name}/>` : `<${this.#prefixes.get(namespace) ?? 'D'}:${name}/>`;
  }
}
