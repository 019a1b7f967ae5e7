/**
 * Dry runs across a fleet. Members with different modules also test the change and report their results. The store holds the requests and
 * replies as values, which the requesting member removes.
 */
import { isSluiceError, messageOf, taskOf, unawaited, type Logger } from '@sluice/base';
import type { FleetRehearsal, RehearsedMember } from '@sluice/contracts';
import { applyOperations, type Reconciler } from '@sluice/reconciler';
import type { PatchOperation } from '@sluice/registry';
import { pause } from '../member/decide.ts';
import { writeOrders } from '../member-list/orders.ts';
import type { FleetStore } from '../store.ts';
import type { MemberEnvironment } from '../environment.ts';
import type { ModuleCheck } from './module-check.ts';

/**
 * Times in milliseconds: polling intervals for requests and replies, timeout for replies, and age at which an abandoned request is deleted.
 * This age is large, because the clocks of machines differ.
 */
const times = { questions: 1000, replies: 100, timeout: 5000, forgotten: 3_600_000 };

const questions = 'rehearsal/ask/';
const replies = 'rehearsal/said/';

interface Question {
  /** Time of the request, in milliseconds since the Unix epoch. */
  readonly at: number;
  readonly to: readonly string[];
  readonly operations: readonly PatchOperation[];
}

interface RehearsalsOptions {
  readonly reconciler: Reconciler;
  readonly store: FleetStore;
  readonly name: string;
  readonly modules: ModuleCheck;
  readonly environment: MemberEnvironment;
  readonly log: Logger;
}

/** Sends dry-run requests to other members, and replies to their requests. */
export class Rehearsals {
  readonly #options: RehearsalsOptions;
  /** Requests that this member has already answered but that are still in the store. */
  readonly #known = new Set<string>();
  #closed = false;

  constructor(options: RehearsalsOptions) {
    this.#options = options;
  }

  start(): void {
    unawaited(taskOf('sluice.fleet'), this.#loop());
  }

  close(): void {
    this.#closed = true;
  }

  /** Requests dry runs from members that have different modules. Returns the results, keyed by member name. */
  async ask({ operations, modules: needed }: FleetRehearsal): Promise<Readonly<Record<string, RehearsedMember>>> {
    const { modules } = this.#options;
    await modules.look();
    const said = new Map<string, RehearsedMember>();
    for (const { member, id, path } of await modules.lacking(needed))
      said.set(member, { state: 'refused', path, message: `module ${id} is not installed` });
    const others = (await modules.others()).map(({ name }) => name).filter((name) => !said.has(name));
    if (others.length > 0) await this.#ask({ at: this.#options.environment.now(), to: others, operations }, said);
    return Object.fromEntries(said);
  }

  async #ask(question: Question, said: Map<string, RehearsedMember>): Promise<void> {
    const { store, name, environment } = this.#options;
    const id = environment.id();
    const writer = { store, name, id };
    const key = `${questions}${id}`;
    await writeOrders(writer, [{ key, value: JSON.stringify(question) }]);
    const prefix = `${replies}${id}/`;
    const deadline = environment.now() + times.timeout;
    let found: ReadonlyMap<string, string> = new Map();
    while (found.size < question.to.length && environment.now() < deadline) {
      await pause(times.replies, environment);
      found = await store.values(prefix);
    }
    for (const member of question.to) {
      const text = found.get(`${prefix}${member}`);
      said.set(member, text === undefined ? { state: 'unknown' } : replyOf(text));
    }
    await this.#remove([...found.keys(), key]);
  }

  async #remove(keys: readonly string[]): Promise<void> {
    const { store, name, environment } = this.#options;
    const writer = { store, name, id: environment.id() };
    await writeOrders(
      writer,
      keys.map((key) => ({ key, value: null })),
    );
  }

  async #loop(): Promise<void> {
    const { store, name, environment, log } = this.#options;
    if (this.#closed) return;
    try {
      const asked = await store.values(questions);
      for (const key of this.#known) if (!asked.has(key)) this.#known.delete(key);
      for (const [key, text] of asked) {
        const question = this.#read(key, text);
        if (question === null) continue;
        const { at, to, operations } = question;
        const id = key.slice(questions.length);
        if (at + times.forgotten < environment.now()) {
          await this.#remove([...(await store.values(`${replies}${id}/`)).keys(), key]);
          continue;
        }
        if (this.#known.has(key) || !to.includes(name)) continue;
        this.#known.add(key);
        const reply = await this.#tryOut(operations);
        const writer = { store, name, id: environment.id() };
        await writeOrders(writer, [{ key: `${replies}${id}/${name}`, value: JSON.stringify(reply) }]);
      }
    } catch (error) {
      log.debug('failed to check for dry-run requests from other members', { error: messageOf(error) });
    }
    environment.after(times.questions, () => unawaited(taskOf('sluice.fleet'), this.#loop()));
  }

  /** Parses a dry-run request. Returns `null` for invalid content, so that one invalid request does not block others. */
  #read(key: string, text: string): Question | null {
    try {
      const question = JSON.parse(text) as Partial<Question> | null;
      if (Array.isArray(question?.to) && Array.isArray(question.operations)) return question as Question;
    } catch {
      // Ignore the parse error; the code below handles invalid content.
    }
    if (!this.#known.has(key)) this.#options.log.warn('skipping unreadable entry in the fleet store', { key });
    this.#known.add(key);
    return null;
  }

  async #tryOut(operations: readonly PatchOperation[]): Promise<RehearsedMember> {
    const { reconciler } = this.#options;
    try {
      await reconciler.change((document) => applyOperations(document, operations), { dryRun: true });
      return { state: 'accepted' };
    } catch (error) {
      const path = isSluiceError(error) ? error.where : null;
      return { state: 'refused', message: messageOf(error), ...(path === null ? {} : { path }) };
    }
  }
}

function replyOf(text: string): RehearsedMember {
  try {
    return JSON.parse(text) as RehearsedMember;
  } catch {
    return { state: 'unknown' };
  }
}
