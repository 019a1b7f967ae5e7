/** The WebDAV method PROPPATCH (RFC 4918 §9.2), which sets and removes properties. If one change fails, no property changes. */
import { escapeXml } from '@sluice/base';
import { HttpError } from '@sluice/http-app';
import { isLive } from './live-properties.ts';
import { Multistatus } from './multistatus.ts';
import type { Operation } from './operation.ts';
import { propstat } from './propfind.ts';
import { maxProperties, propertyKey } from './property-store.ts';
import { Prefixes, type PropertyName } from './query.ts';
import { davChild, davNamespace, isDav, readXml, serialize, type XmlNode } from './xml.ts';

const maxBody = 262_144;
/** Maximum number of property changes in a request. */
const maxChanges = 1000;

/** A change of one property. `null` removes the property. */
interface Change {
  readonly property: PropertyName;
  readonly element: XmlNode | null;
}

export async function proppatch(operation: Operation): Promise<void> {
  const { exchange, path, properties } = operation;
  operation.existing();
  const changes = changesOf(await readXml(exchange.body, maxBody));
  await operation.exclusively([{ path, tree: false }], async () => {
    const found = operation.existing();
    operation.expectPreconditions(found);
    const stored = await properties.read(path);
    const isProtected = changes.some(({ property }) => isProtectedName(property));
    let isTooLarge = false;
    if (!isProtected) {
      for (const { property, element } of changes) {
        const key = propertyKey(property.namespace, property.name);
        if (element === null) stored.delete(key);
        else stored.set(key, serialize(element, maxProperties));
      }
      let size = 0;
      for (const [key, element] of stored) size += key.length + element.length;
      isTooLarge = size > maxProperties;
      if (!isTooLarge) await properties.write(path, stored);
    }
    const status = isProtected ? 424 : isTooLarge ? 507 : 200;
    const names = changes.map(({ property }) => property);
    const prefixes = new Prefixes(names);
    const response = new Multistatus(exchange, prefixes.declarations);
    let content = '';
    for (const property of names)
      content += isProtectedName(property)
        ? propstat(prefixes.empty(property), 403, 'cannot-modify-protected-property')
        : propstat(prefixes.empty(property), status);
    const href = escapeXml(operation.share.href(path, found.isCollection));
    await response.add(`<D:response><D:href>${href}</D:href>${content}</D:response>`);
    response.end();
  });
}

function isProtectedName({ namespace, name }: PropertyName): boolean {
  return namespace === davNamespace && isLive(name) && name !== 'displayname';
}

function changesOf(body: XmlNode | null): Change[] {
  if (body === null || !isDav(body, 'propertyupdate'))
    throw new HttpError(400, 'the request body is not a propertyupdate element');
  const changes: Change[] = [];
  for (const instruction of body.children) {
    const isRemoval = isDav(instruction, 'remove');
    if (!isRemoval && !isDav(instruction, 'set')) continue;
    for (const element of davChild(instruction, 'prop')?.children ?? []) {
      const { namespace, name } = element;
      changes.push({ property: { namespace, name }, element: isRemoval ? null : element });
    }
  }
  if (changes.length === 0 || changes.length > maxChanges)
    throw new HttpError(400, `a PROPPATCH request must change 1 to ${maxChanges} properties`);
  return changes;
}
