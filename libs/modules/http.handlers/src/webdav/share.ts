/** Mapping from request URLs to files: root directory, URL prefix and hidden files. */
import { basename, dirname, resolve, sep } from 'node:path';
import { cleanRequestPath, escapePath, joinRoot, unescapePathOrNull } from '@sluice/base';
import { HttpError, type Exchange } from '@sluice/http-app';
import type { Hidden } from '../file_server/hide.ts';
import { isReserved } from './resource.ts';

/** Files that one WebDAV request can access. */
export class Share {
  readonly root: string;
  readonly #hidden: Hidden;
  /** Decoded URL path at which the root is mounted, without a trailing slash. */
  readonly #mount: string;
  /** Decoded URL path prefix that earlier handlers stripped. It precedes {@link #mount} in the original path. */
  readonly #stripped: string;

  /** `prefix` is the configured URL path at which the root is mounted. */
  constructor(exchange: Exchange, root: string, prefix: string, hidden: Hidden) {
    this.root = resolve(root);
    this.#hidden = hidden;
    this.#mount = prefix === '' ? '' : cleanRequestPath(prefix).replace(/\/$/, '');
    this.#stripped = strippedFrom(exchange);
  }

  /** Reports whether a file path is hidden from clients. */
  readonly hides = (path: string): boolean => this.#hidden(path) || isReserved(basename(path));

  /** Returns the file path of the requested resource. Throws an error with status 404 if the URL is outside the prefix. */
  requested(exchange: Exchange): string {
    const inside = this.#withoutMount(exchange.path);
    if (inside === null) throw new HttpError(404, 'the path is outside the prefix of the webdav handler');
    return this.#at(inside, 404);
  }

  /**
   * Returns the file path for a reference in a Destination or If field. A reference is a URL or an absolute path (RFC 4918 §8.3). Throws an
   * error with status 502 for resources on other servers.
   */
  referenced(exchange: Exchange, reference: string): string {
    const path = pathOf(exchange, reference);
    const isBelow = this.#stripped === '' || path === this.#stripped || path.startsWith(`${this.#stripped}/`);
    const inside = isBelow ? this.#withoutMount(path.slice(this.#stripped.length)) : null;
    if (inside === null) throw new HttpError(502, 'the destination is outside the prefix of the webdav handler');
    return this.#at(inside, 403);
  }

  /** Returns the parent of a resource that is below the root. */
  parent(path: string): string {
    return dirname(path);
  }

  isRoot(path: string): boolean {
    return path === this.root;
  }

  /** Returns the percent-encoded URL path of a file. Collections end with a slash. */
  href(path: string, isCollection: boolean): string {
    const inside =
      path === this.root ? '' : path.slice(this.root.endsWith(sep) ? this.root.length - 1 : this.root.length);
    const url = this.#stripped + this.#mount + (sep === '/' ? inside : inside.replaceAll(sep, '/'));
    return escapePath(isCollection ? `${url}/` : url);
  }

  /** Converts a path relative to the root to a file path. Throws an error with `status` for hidden resources. */
  #at(inside: string, status: number): string {
    const path = joinRoot(this.root, inside);
    if (path === null) throw new HttpError(400, 'the request path contains invalid characters');
    if (cleanRequestPath(inside).split('/').some(isReserved) || this.#hidden(path))
      throw new HttpError(status, 'the resource is hidden');
    return path;
  }

  #withoutMount(path: string): string | null {
    const mount = this.#mount;
    if (mount === '') return path;
    // Remove dot segments, because they must not lead to another file below the root.
    const cleaned = cleanRequestPath(path);
    if (cleaned === mount) return '/';
    return cleaned.startsWith(`${mount}/`) ? cleaned.slice(mount.length) : null;
  }
}

/** Returns the prefix of the original path that handlers such as `handle_path` have stripped. */
function strippedFrom(exchange: Exchange): string {
  if (exchange.rawPath === exchange.originalRawPath) return '';
  const original = unescapePathOrNull(exchange.originalRawPath) ?? '';
  const current = exchange.path.startsWith('/') ? exchange.path : `/${exchange.path}`;
  return original.endsWith(current) ? original.slice(0, original.length - current.length) : '';
}

/** Returns the decoded URL path of a reference. */
function pathOf(exchange: Exchange, reference: string): string {
  let raw = reference.trim();
  const authority = /^[a-z][\w+.-]*:\/\/([^/?#]*)/i.exec(raw);
  if (authority !== null) {
    if (hostOf(authority[1] ?? '') !== hostOf(exchange.originalHost))
      throw new HttpError(502, 'the destination is on another server');
    raw = raw.slice(authority[0].length) || '/';
  }
  if (!raw.startsWith('/') || raw.startsWith('//'))
    throw new HttpError(400, 'the Destination header field must contain a URL or an absolute path');
  const path = unescapePathOrNull(raw.replace(/[?#].*$/s, ''));
  if (path === null) throw new HttpError(400, 'the destination contains an invalid percent-encoding');
  return path;
}

/** Returns the host without the default port of any scheme. A proxy in front of this server may use a different scheme than the client. */
function hostOf(authority: string): string {
  return authority
    .slice(authority.lastIndexOf('@') + 1)
    .toLowerCase()
    .replace(/:(?:80|443)?$/, '');
}
