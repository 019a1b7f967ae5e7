/** Live properties of WebDAV resources, which the server computes (RFC 4918 §15). */
import { escapeXml, formatHttpDate } from '@sluice/base';
import type { ContentTypeOf } from '../file_server/content-type.ts';
import type { Lock } from './lock-table.ts';
import type { Found } from './resource.ts';

export interface Described {
  /** Last segment of the resource's URL. Empty for the root. */
  readonly name: string;
  readonly found: Found;
  readonly locks: readonly Lock[];
}

type Live = (resource: Described, typeOf: ContentTypeOf) => string | null;

const supportedLock = ['exclusive', 'shared']
  .map(
    (scope) => `<D:lockentry><D:lockscope><D:${scope}/></D:lockscope><D:locktype><D:write/></D:locktype></D:lockentry>`,
  )
  .join('');

/** XML content of each live property, keyed by property name. `null` if the resource lacks the property. */
const live: ReadonlyMap<string, Live> = new Map<string, Live>([
  ['creationdate', ({ found }) => (found.created > 0 ? new Date(found.created).toISOString() : null)],
  ['displayname', ({ name }) => escapeXml(name)],
  ['getcontentlength', ({ found }) => (found.isCollection ? null : String(found.size))],
  ['getcontenttype', ({ name, found }, typeOf) => (found.isCollection ? null : escaped(typeOf(name)))],
  ['getetag', ({ found }) => (found.isCollection ? null : escapeXml(found.etag))],
  ['getlastmodified', ({ found }) => formatHttpDate(found.modified)],
  ['lockdiscovery', ({ locks }) => locks.map(activeLock).join('')],
  ['resourcetype', ({ found }) => (found.isCollection ? '<D:collection/>' : '')],
  ['supportedlock', () => supportedLock],
]);

export const liveNames: readonly string[] = [...live.keys()];

export function isLive(name: string): boolean {
  return live.has(name);
}

/** Returns the XML element of a live property, or `null` if the resource lacks the property. */
export function liveProperty(name: string, resource: Described, typeOf: ContentTypeOf): string | null {
  const content = live.get(name)?.(resource, typeOf) ?? null;
  if (content === null) return null;
  return content === '' ? `<D:${name}/>` : `<D:${name}>${content}</D:${name}>`;
}

function escaped(text: string | null): string | null {
  return text === null ? null : escapeXml(text);
}

/** Returns the `activelock` XML element of a lock. */
export function activeLock({ token, href, deep, exclusive, owner, expires }: Lock): string {
  const seconds = Math.max(0, Math.ceil((expires - Date.now()) / 1000));
  return `<D:activelock><D:locktype><D:write/></D:locktype><D:lockscope><D:${exclusive ? 'exclusive' : 'shared'}/></D:lockscope><D:depth>${
    deep ? 'infinity' : '0'
  }</D:depth>${owner}<D:timeout>Second-${seconds}</D:timeout><D:locktoken><D:href>${escapeXml(
    token,
  )}</D:href></D:locktoken><D:lockroot><D:href>${escapeXml(href)}</D:href></D:lockroot></D:activelock>`;
}
