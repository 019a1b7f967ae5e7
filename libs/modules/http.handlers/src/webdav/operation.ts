/** One WebDAV request. */
import { HttpError, type Exchange } from '@sluice/http-app';
import type { ContentTypeOf } from '../file_server/content-type.ts';
import { evaluate } from '../file_server/conditions.ts';
import { fromFileSystem } from '../file_server/file-errors.ts';
import type { FileServer } from '../file_server/file-server.ts';
import { parseIf, type IfHeader } from './if-header.ts';
import type { Hold, Locks } from './lock-service.ts';
import type { Access, Submission, Verdict } from './lock-table.ts';
import { respondWithError } from './multistatus.ts';
import type { PropertyStore } from './property-store.ts';
import { findResource, isOccupied, type Found } from './resource.ts';
import type { Share } from './share.ts';

export interface WebdavSettings {
  /** True if the `hide` option is set. */
  readonly hidesAny: boolean;
  readonly maxEntries: number;
  readonly maxLocks: number;
  /** Maximum timeout of a lock, in milliseconds. */
  readonly maxLockTimeout: number;
  readonly typeOf: ContentTypeOf;
  readonly files: FileServer;
  readonly locks: Locks;
}

/** A WebDAV request with its resource. */
export class Operation {
  readonly exchange: Exchange;
  readonly share: Share;
  /** File path of the requested resource, which may not exist. */
  readonly path: string;
  readonly properties: PropertyStore;
  readonly settings: WebdavSettings;
  readonly locks: Locks;
  /** Authenticated user. Empty if the request was not authenticated. */
  readonly user: string;
  #header: IfHeader | null = null;

  constructor(exchange: Exchange, share: Share, properties: PropertyStore, settings: WebdavSettings) {
    this.exchange = exchange;
    this.share = share;
    this.path = share.requested(exchange);
    this.properties = properties;
    this.settings = settings;
    this.locks = settings.locks;
    const user = exchange.placeholder('http.auth.user.id');
    this.user = typeof user === 'string' ? user : '';
  }

  /** Returns the resource at a path, or `null` if it does not exist. */
  find(path: string): Found | null {
    try {
      return findResource(path);
    } catch (error) {
      throw fromFileSystem(error);
    }
  }

  /** Returns the requested resource. Throws an error with status 404 if it does not exist. */
  existing(): Found {
    const found = this.find(this.path);
    // A URL with a trailing slash can only refer to a collection.
    if (found === null || (!found.isCollection && this.exchange.path.endsWith('/')))
      throw new HttpError(404, 'the resource does not exist');
    return found;
  }

  /** Throws an error with status 409 if the parent of a path does not exist or is not a collection (RFC 4918 §9.7.1). */
  expectParent(path: string): void {
    if (this.find(this.share.parent(path))?.isCollection !== true)
      throw new HttpError(409, 'the parent collection does not exist');
  }

  /**
   * Throws an error with status 403 if a path refers to a special file, which must not be replaced. Special files are devices, pipes,
   * sockets, and symlinks to missing files.
   */
  expectNoOtherFile(path: string): void {
    if (this.find(path) === null && isOccupied(path))
      throw new HttpError(403, 'the path is neither a file nor a directory');
  }

  /** Throws an error with status 412 if a precondition of the request is false (RFC 9110 §13). */
  expectPreconditions(found: Found | null): void {
    const { headers } = this.exchange;
    const isFalse =
      found === null
        ? headers.has('if-match')
        : evaluate(headers, { etag: found.etag, modified: Math.floor(found.modified / 1000) * 1000 }, false) !==
          'proceed';
    if (isFalse) throw new HttpError(412, 'a precondition in the request header is false');
  }

  /** Lock tokens and conditions from the If field. */
  get submission(): Submission {
    const { lists, tokens } = this.ifHeader;
    return { lists, tokens, user: this.user };
  }

  get ifHeader(): IfHeader {
    return (this.#header ??= parseIf(this.exchange.headers.joined('if', ' '), {
      path: this.path,
      pathOf: (reference) => this.#pathOf(reference),
      etagOf: (path) => (path === '' ? '' : (this.find(path)?.etag ?? '')),
    }));
  }

  #pathOf(reference: string): string {
    try {
      return this.share.referenced(this.exchange, reference);
    } catch {
      // Conditions on a resource outside the share evaluate to false.
      return '';
    }
  }

  /** Returns an {@link Access} to the parent collection, for operations that add or remove the member at `path`. */
  membership(path: string): Access {
    return { path: this.share.parent(path), tree: false, membership: true };
  }

  /** Checks the locks on the resources. If a lock forbids the request, writes the response and returns false. */
  async isPermitted(accesses: readonly Access[]): Promise<boolean> {
    const verdict = await this.locks.check(accesses, this.submission);
    if (verdict.status === 0) return true;
    this.reject(verdict);
    return false;
  }

  /** Runs an operation while no other operation can change its resources. Rejects the request if a lock forbids it. */
  async exclusively(accesses: readonly Access[], run: (done: Done) => Promise<void>): Promise<void> {
    const hold = await this.locks.enter(accesses, this.submission);
    if (!isHold(hold)) {
      this.reject(hold);
      return;
    }
    const done: Done = { removed: [], emptied: [] };
    try {
      await run(done);
    } catch (error) {
      throw isSystemError(error) ? fileFailure(error) : error;
    } finally {
      hold.leave(done.removed, done.emptied);
    }
  }

  /** Awaits a file operation, and converts its file system error to an HTTP error. */
  async withFileErrors<T>(result: Promise<T>): Promise<T> {
    try {
      return await result;
    } catch (error) {
      throw isSystemError(error) ? fileFailure(error) : error;
    }
  }

  /** Returns the value of the Allow field: the methods that the resource supports. */
  allowed(): string {
    const found = this.find(this.path);
    if (found === null) return 'OPTIONS, LOCK, PUT, MKCOL';
    const common = 'OPTIONS, LOCK, DELETE, PROPPATCH, COPY, MOVE, UNLOCK, PROPFIND, GET, HEAD';
    return found.isCollection ? common : `${common}, PUT`;
  }

  /** Writes the response to a request that a lock or a condition forbids. */
  reject(verdict: Exclude<Verdict, { status: 0 }>): void {
    if (verdict.status === 412) throw new HttpError(412, 'a condition in the If header field is false');
    respondWithError(this.exchange, 423, 'lock-token-submitted', verdict.href);
  }

  /** Returns the percent-encoded URL path of a resource. */
  href(path: string): string {
    return this.share.href(path, this.find(path)?.isCollection === true);
  }
}

/** Paths whose locks are removed after an operation. */
export interface Done {
  readonly removed: string[];
  readonly emptied: string[];
}

function isHold(entered: Hold | Exclude<Verdict, { status: 0 }>): entered is Hold {
  return 'leave' in entered;
}

function isSystemError(error: unknown): boolean {
  return typeof (error as { syscall?: unknown } | null)?.syscall === 'string';
}

/** Returns the HTTP error for a failed file system change. */
function fileFailure(error: unknown): HttpError {
  const { code } = error as { readonly code?: unknown };
  if (code === 'ENOSPC' || code === 'EDQUOT') return new HttpError(507, 'the file system is full', error);
  if (code === 'ENOENT' || code === 'ENOTDIR')
    return new HttpError(409, 'another program removed the resource or its parent', error);
  if (code === 'EEXIST' || code === 'ENOTEMPTY' || code === 'EISDIR' || code === 'EBUSY')
    return new HttpError(409, 'another program is using the path', error);
  if (code === 'EROFS') return new HttpError(403, 'the file system is read-only', error);
  return fromFileSystem(error);
}
