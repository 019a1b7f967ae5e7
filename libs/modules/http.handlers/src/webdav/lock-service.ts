/** WebDAV locks shared by all threads. The control thread owns the lock table, and traffic threads send requests to it. */
import { guarded, taskOf } from '@sluice/base';
import { question, topic, type Question, type ThreadBus, type Topic } from '@sluice/threads';
import { Holds, leaseTime } from './holds.ts';
import {
  LockTable,
  type Access,
  type Depth,
  type Lock,
  type LockRequest,
  type Submission,
  type Verdict,
} from './lock-table.ts';

interface EnterRequest {
  readonly accesses: readonly Access[];
  readonly submission: Submission;
  readonly only: boolean;
}

/** Result of {@link Locks.enter}, with the hold ID if the operation is permitted. */
type Entered = Verdict & { readonly id: number };

/** Paths whose locks an operation made obsolete. */
interface Left {
  readonly id: number;
  /** Paths of deleted resources. */
  readonly removed: readonly string[];
  /** Collections whose members an operation replaced. */
  readonly emptied: readonly string[];
}

/**
 * A created lock, or an error status: 412 if a condition is false, 423 with the root of the conflicting lock, or 507 if there are too many
 * locks.
 */
export type Locked = { readonly lock: Lock } | { readonly status: 412 | 423 | 507; readonly href: string };

const enterQuestion: Question<EnterRequest, Entered> = question('webdav.enter');
const leftTopic: Topic<Left> = topic('webdav.left');
const renewTopic: Topic<number> = topic('webdav.renew');
const lockQuestion: Question<{ request: LockRequest; accesses: readonly Access[]; submission: Submission }, Locked> =
  question('webdav.lock');
const refreshQuestion: Question<{ path: string; token: string; user: string; timeout: number }, Lock | null> =
  question('webdav.refresh');
const unlockQuestion: Question<{ path: string; token: string; user: string }, 204 | 403 | 409> =
  question('webdav.unlock');
const aroundQuestion: Question<{ path: string; depth: Depth }, readonly Lock[]> = question('webdav.locks');

/** Number of renewals per lease time. Several renewals keep a busy thread from losing its holds. */
const renewals = 3;
const checkInterval = 10_000;
const task = taskOf('http.handlers.webdav');

/** WebDAV lock table in the control thread. Serves requests from other threads while a configuration contains a WebDAV handler. */
export class LockService {
  readonly #table = new LockTable();
  readonly #holds = new Holds();
  readonly #ends: (() => void)[];

  constructor(bus: ThreadBus) {
    const timer = setInterval(
      guarded(task, () => this.#holds.expire()),
      checkInterval,
    ).unref();
    this.#ends = [
      () => clearInterval(timer),
      bus.onAsk(enterQuestion, (request) => this.#enter(request)),
      bus.onReport(leftTopic, (left) => this.#left(left)),
      bus.onReport(renewTopic, (id) => this.#holds.renew(id)),
      bus.onAsk(lockQuestion, ({ request, accesses, submission }) => this.#lock(request, accesses, submission)),
      bus.onAsk(refreshQuestion, ({ path, token, user, timeout }) => this.#table.refresh(path, token, user, timeout)),
      bus.onAsk(unlockQuestion, ({ path, token, user }) => this.#table.release(path, token, user)),
      bus.onAsk(aroundQuestion, ({ path, depth }) => this.#table.around(path, depth)),
    ];
  }

  list(): Lock[] {
    return this.#table.list();
  }

  /** Removes a lock, regardless of its user. Returns false if no lock has this token. */
  remove(token: string): boolean {
    return this.#table.remove(token);
  }

  close(): void {
    for (const end of this.#ends) end();
  }

  async #enter({ accesses, submission, only }: EnterRequest): Promise<Entered> {
    const id = only ? 0 : await this.#holds.enter(accesses);
    if (!only && id === 0) return { status: 423, href: '', id: 0 };
    const verdict = this.#table.check(accesses, submission);
    if (verdict.status !== 0) this.#holds.leave(id);
    return { ...verdict, id };
  }

  #left({ id, removed, emptied }: Left): void {
    for (const path of removed) this.#table.removeTree(path);
    for (const path of emptied) this.#table.removeBelow(path);
    this.#holds.leave(id);
  }

  async #lock(request: LockRequest, accesses: readonly Access[], submission: Submission): Promise<Locked> {
    const id = await this.#holds.enter([{ path: request.path, tree: request.deep }]);
    if (id === 0) return { status: 423, href: '' };
    try {
      const verdict = this.#table.check(accesses, submission);
      if (verdict.status === 412) return { status: 412, href: '' };
      if (verdict.status === 423) return verdict;
      const lock = this.#table.acquire(request);
      if (lock === 'full') return { status: 507, href: '' };
      return 'conflict' in lock ? { status: 423, href: lock.conflict } : { lock };
    } finally {
      this.#holds.leave(id);
    }
  }
}

/** An operation's exclusive hold on its resources. */
export interface Hold {
  /** Releases the hold on the resources. `removed` lists the deleted trees, and `emptied` lists the collections whose members were replaced. */
  leave(removed?: readonly string[], emptied?: readonly string[]): void;
}

/** Client for the WebDAV lock table, usable in any thread. */
export class Locks {
  readonly #bus: ThreadBus;

  constructor(bus: ThreadBus) {
    this.#bus = bus;
  }

  /** Checks the If field and the locks, without waiting for overlapping operations. */
  check(accesses: readonly Access[], submission: Submission): Promise<Verdict> {
    return this.#bus.ask(enterQuestion, { accesses, submission, only: true });
  }

  /**
   * Waits for other operations on the resources, then performs the checks of {@link check}. Callers must always call `leave` on the
   * returned hold.
   */
  async enter(accesses: readonly Access[], submission: Submission): Promise<Hold | Exclude<Verdict, { status: 0 }>> {
    const entered = await this.#bus.ask(enterQuestion, { accesses, submission, only: false });
    if (entered.status !== 0) return entered;
    const { id } = entered;
    const renew = guarded(task, () => this.#bus.report(renewTopic, id));
    const timer = setInterval(renew, leaseTime / renewals).unref();
    return {
      leave: (removed = [], emptied = []) => {
        clearInterval(timer);
        this.#bus.report(leftTopic, { id, removed, emptied });
      },
    };
  }

  /** Creates a lock. `accesses` lists the resources that change if the locked resource does not exist yet and must be created. */
  lock(request: LockRequest, accesses: readonly Access[], submission: Submission): Promise<Locked> {
    return this.#bus.ask(lockQuestion, { request, accesses, submission });
  }

  refresh(path: string, token: string, user: string, timeout: number): Promise<Lock | null> {
    return this.#bus.ask(refreshQuestion, { path, token, user, timeout });
  }

  unlock(path: string, token: string, user: string): Promise<204 | 403 | 409> {
    return this.#bus.ask(unlockQuestion, { path, token, user });
  }

  /** Returns the locks that apply to a path, and the locks on its members down to `depth`. */
  around(path: string, depth: Depth): Promise<readonly Lock[]> {
    return this.#bus.ask(aroundQuestion, { path, depth });
  }
}
