/**
 * Write locks of all WebDAV handlers in the process, stored in the control thread (RFC 4918 §6 and §7). Locks are keyed by file path, so
 * handlers with the same root share them.
 */
import { randomUUID } from 'node:crypto';
import { dirname, sep } from 'node:path';
import { matchesCondition, type IfList } from './if-header.ts';

export interface Lock {
  readonly token: string;
  /** File path of the locked resource, which is the lock root. */
  readonly path: string;
  /** URL path of the locked resource, which is the lock root. */
  readonly href: string;
  /** True if the lock has depth infinity. */
  readonly deep: boolean;
  readonly exclusive: boolean;
  readonly owner: string;
  /** Authenticated user that created the lock. Empty if the request was not authenticated. */
  readonly user: string;
  /** Expiration time of the lock, in milliseconds since the Unix epoch. */
  readonly expires: number;
}

/** Depth of a WebDAV request or lock. */
export type Depth = 0 | 1 | 'infinity';

export interface LockRequest extends Pick<Lock, 'path' | 'href' | 'deep' | 'exclusive' | 'owner' | 'user'> {
  /** Timeout, in milliseconds. */
  readonly timeout: number;
  readonly max: number;
  /** Root directory of the WebDAV handler. */
  readonly root: string;
}

/** A resource that an operation changes. */
export interface Access {
  readonly path: string;
  /** True if the operation also changes all resources below the path. */
  readonly tree: boolean;
  /**
   * True if the operation only adds or removes a member of this collection. Locks still apply, but other operations on the collection may
   * run concurrently.
   */
  readonly membership?: boolean;
}

/** State tokens and conditions that a request submits, and the request's user. */
export interface Submission {
  readonly lists: readonly IfList[];
  readonly tokens: readonly string[];
  readonly user: string;
}

/**
 * Result of a lock check: 0 if permitted, 412 if a condition in the If field is false, or 423 with the root of the lock that forbids the
 * operation.
 */
export type Verdict =
  | { readonly status: 0 }
  | { readonly status: 412 }
  | { readonly status: 423; readonly href: string };

const permitted: Verdict = { status: 0 };
/**
 * Maximum number of locks in the process. Each handler, and each root with placeholders, may have up to {@link LockRequest.max} locks.
 * Because there can be many handlers and roots, this limit also applies.
 */
const maxLocks = 100_000;

/** WebDAV locks, indexed by path and by token. */
export class LockTable {
  readonly #byToken = new Map<string, Lock>();
  readonly #byPath = new Map<string, Set<string>>();
  #nextExpiry = Number.POSITIVE_INFINITY;

  get size(): number {
    return this.#byToken.size;
  }

  /** Checks the conditions of the If field. Also checks that the request submits the tokens of all locks on the resources. */
  check(accesses: readonly Access[], { lists, tokens, user }: Submission): Verdict {
    this.#expire();
    const covers = (path: string, token: string): boolean => this.covering(path).some((lock) => lock.token === token);
    if (
      lists.length > 0 &&
      !lists.some((list) => list.conditions.every((each) => matchesCondition(each, list.path, covers)))
    )
      return { status: 412 };
    for (const { path, tree } of accesses) {
      const locks = tree ? [...this.covering(path), ...this.below(path)] : this.covering(path);
      // If several shared locks apply, the token of any one of them is sufficient.
      const submitted = new Set(locks.filter((lock) => isSubmitted(lock, tokens, user)).map((lock) => lock.path));
      const blocking = locks.find(
        (lock) => !isSubmitted(lock, tokens, user) && (lock.exclusive || !submitted.has(lock.path)),
      );
      if (blocking !== undefined) return { status: 423, href: blocking.href };
    }
    return permitted;
  }

  /** Creates and returns a lock. Returns the root of a conflicting lock if there is one, or `full` if there are too many locks. */
  acquire(request: LockRequest): Lock | { readonly conflict: string } | 'full' {
    this.#expire();
    const { path, href, deep, exclusive, owner, user } = request;
    const others = deep ? [...this.covering(path), ...this.below(path)] : this.covering(path);
    const conflict = others.find((other) => exclusive || other.exclusive);
    if (conflict !== undefined) return { conflict: conflict.href };
    if (this.size >= maxLocks) return 'full';
    if (this.below(request.root).length + (this.#byPath.get(request.root)?.size ?? 0) >= request.max) return 'full';
    const expires = Date.now() + request.timeout;
    return this.#add({ token: `urn:uuid:${randomUUID()}`, path, href, deep, exclusive, owner, user, expires });
  }

  /** Restarts the timeout of a lock that applies to a path. Returns `null` if the user has no such lock. */
  refresh(path: string, token: string, user: string, timeout: number): Lock | null {
    const lock = this.#find(path, token);
    if (lock === null || lock.user !== user) return null;
    return this.#add({ ...lock, expires: Date.now() + timeout });
  }

  /** Removes a lock that applies to a path. Returns the response status. */
  release(path: string, token: string, user: string): 204 | 403 | 409 {
    const lock = this.#find(path, token);
    if (lock === null) return 409;
    if (lock.user !== user) return 403;
    this.#remove(lock);
    return 204;
  }

  list(): Lock[] {
    this.#expire();
    return [...this.#byToken.values()];
  }

  /** Removes a lock, regardless of its user. Returns false if no lock has this token. */
  remove(token: string): boolean {
    const lock = this.#byToken.get(token);
    if (lock !== undefined) this.#remove(lock);
    return lock !== undefined;
  }

  /** Removes all locks at and below a path. Called after the resources have been deleted. */
  removeTree(path: string): void {
    this.removeBelow(path);
    for (const token of [...(this.#byPath.get(path) ?? [])]) this.remove(token);
  }

  /** Removes all locks below a path. Called after the members have been replaced. */
  removeBelow(path: string): void {
    for (const lock of this.below(path)) this.#remove(lock);
  }

  /** Returns the locks that apply to a path: locks on the path itself, and locks with depth infinity on its ancestors. */
  covering(path: string): Lock[] {
    return this.size === 0 ? [] : coveringLocks(path, (at) => this.#at(at));
  }

  /** Returns the locks whose roots are below a path. Takes linear time in the number of locks. */
  below(path: string): Lock[] {
    const prefix = path.endsWith(sep) ? path : path + sep;
    return [...this.#byToken.values()].filter((lock) => lock.path.startsWith(prefix));
  }

  /** Returns the locks that apply to a path, and the locks on its members down to `depth`. */
  around(path: string, depth: Depth): Lock[] {
    this.#expire();
    if (depth === 0) return this.covering(path);
    const below = this.below(path);
    return [...this.covering(path), ...(depth === 1 ? below.filter((lock) => dirname(lock.path) === path) : below)];
  }

  #at(path: string): Lock[] {
    const found: Lock[] = [];
    for (const token of this.#byPath.get(path) ?? []) {
      const lock = this.#byToken.get(token);
      if (lock !== undefined) found.push(lock);
    }
    return found;
  }

  #find(path: string, token: string): Lock | null {
    this.#expire();
    return this.covering(path).find((lock) => lock.token === token) ?? null;
  }

  #add(lock: Lock): Lock {
    this.#byToken.set(lock.token, lock);
    const tokens = this.#byPath.get(lock.path);
    if (tokens === undefined) this.#byPath.set(lock.path, new Set([lock.token]));
    else tokens.add(lock.token);
    this.#nextExpiry = Math.min(this.#nextExpiry, lock.expires);
    return lock;
  }

  #remove({ token, path }: Lock): void {
    this.#byToken.delete(token);
    const tokens = this.#byPath.get(path);
    tokens?.delete(token);
    if (tokens?.size === 0) this.#byPath.delete(path);
  }

  #expire(): void {
    const now = Date.now();
    if (now < this.#nextExpiry) return;
    this.#nextExpiry = Number.POSITIVE_INFINITY;
    for (const lock of [...this.#byToken.values()]) {
      if (lock.expires <= now) this.#remove(lock);
      else this.#nextExpiry = Math.min(this.#nextExpiry, lock.expires);
    }
  }
}

/**
 * Returns the locks that apply to a path: locks on the path itself, and locks with depth infinity on its ancestors. `at` returns the locks
 * with a given root.
 */
export function coveringLocks(path: string, at: (path: string) => readonly Lock[]): Lock[] {
  const found = [...at(path)];
  for (let above = dirname(path), last = path; above !== last; last = above, above = dirname(above))
    for (const lock of at(above)) if (lock.deep) found.push(lock);
  return found;
}

function isSubmitted(lock: Lock, tokens: readonly string[], user: string): boolean {
  return lock.user === user && tokens.includes(lock.token);
}
