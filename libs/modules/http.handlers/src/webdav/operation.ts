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
  /** True if the option `hide` is set. */
  readonly hidesAny: boolean;
  readonly maxEntries: number;
  readonly maxLocks: number;
  /** Maximum lock timeout, in milliseconds. */
  readonly maxLockTimeout: number;
  readonly typeOf: ContentTypeOf;
  readonly files: FileServer;
  readonly locks: Locks;
}

/** A request with its resource. */
export class Operation {
  readonly exchange: Exchange;
  readonly share: Share;
  /** File path of the resource. The file may not exist. */
  readonly path: string;
  readonly properties: PropertyStore;
  readonly settings: WebdavSettings;
  readonly locks: Locks;
  /** Authenticated user; empty without authentication. */
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

  /** Returns the resource at a path; `null` if the resource does not exist. */
  find(path: string): Found | null {
    try {
      return findResource(path);
    } catch (error) {
      throw fromFileSystem(error);
    }
  }

  /** Returns the requested resource. Throws status 404 if the resource does not exist. */
  existing(): Found {
    const found = this.find(this.path);
    // A URL with a trailing slash refers to a collection.
    if (found === null || (!found.isCollection && this.exchange.path.endsWith('/')))
      throw new HttpError(404, 'the resource does not exist');
    return found;
  }

  /** Throws status 409 if the parent of a path is not a collection (RFC 4918 §9.7.1). */
  expectParent(path: string): void {
    if (this.find(this.share.parent(path))?.isCollection !== true)
      throw new HttpError(409, 'the parent collection does not exist');
  }

  /**
   * Throws status 403 if a path names a special file: a device, a pipe, a socket, or a link to a missing file. Special files must not be
   * replaced.
   */
  expectNoOtherFile(path: string): void {
    if (this.find(path) === null && isOccupied(path)) throw new HttpError(403, 'the path is not a file or directory');
  }

  /** Throws status 412 if a precondition of RFC 9110 §13 is false. */
  expectPreconditions(found: Found | null): void {
    const { headers } = this.exchange;
    const isFalse =
      found === null
        ? headers.has('if-match')
        : evaluate(headers, { etag: found.etag, modified: Math.floor(found.modified / 1000) * 1000 }, false) !==
          'proceed';
    if (isFalse) throw new HttpError(412, 'a precondition of the request is false');
  }

  /** Lock tokens and conditions of the If field. */
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
      // Conditions on a resource outside the share are false.
      return '';
    }
  }

  /** Returns the access of an operation that adds or removes the member at a path. */
  membership(path: string): Access {
    return { path: this.share.parent(path), tree: false, membership: true };
  }

  /** Checks the locks. Returns false if the request was rejected and the response is written. */
  async isPermitted(accesses: readonly Access[]): Promise<boolean> {
    const verdict = await this.locks.check(accesses, this.submission);
    if (verdict.status === 0) return true;
    this.reject(verdict);
    return false;
  }

  /** Runs an operation while the resources can't be changed by others, unless the resources are locked. */
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

  /** Awaits file operations. Converts file errors to HTTP errors. */
  async withFileErrors<T>(result: Promise<T>): Promise<T> {
    try {
      return await result;
    } catch (error) {
      throw isSystemError(error) ? fileFailure(error) : error;
    }
  }

  /** Returns the methods that the resource supports, for Allow. */
  allowed(): string {
    const found = this.find(this.path);
    if (found === null) return 'OPTIONS, LOCK, PUT, MKCOL';
    const common = 'OPTIONS, LOCK, DELETE, PROPPATCH, COPY, MOVE, UNLOCK, PROPFIND, GET, HEAD';
    return found.isCollection ? common : `${common}, PUT`;
  }

  /** Responds to a request that is forbidden by a lock or a condition. */
  reject(verdict: Exclude<Verdict, { status: 0 }>): void {
    if (verdict.status === 412) throw new HttpError(412, 'a condition of the If header field is false');
    respondWithError(this.exchange, 423, 'lock-token-submitted', verdict.href);
  }

  /** Returns the escaped URL path of a resource. */
  href(path: string): string {
    return this.share.href(path, this.find(path)?.isCollection === true);
  }
}

/** Paths whose locks an operation removes. */
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

/** Returns the error for a failed change. */
function fileFailure(error: unknown): HttpError {
  const { code } = error as { readonly code?: unknown };
  if (code === 'ENOSPC' || code === 'EDQUOT') return new HttpError(507, 'the file system is full', error);
  if (code === 'ENOENT' || code === 'ENOTDIR')
    return new HttpError(409, 'the resource or its parent was removed by another program', error);
  if (code === 'EEXIST' || code === 'ENOTEMPTY' || code === 'EISDIR' || code === 'EBUSY')
    return new HttpError(409, 'the path is in use by another program', error);
  if (code === 'EROFS') return new HttpError(403, 'the file system is read-only', error);
  return fromFileSystem(error);
}
