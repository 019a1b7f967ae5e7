/** Runs tasks about the same thing one after another. */

/** Queues by name; a name costs nothing when its queue is empty. */
export class Turns {
  readonly #last = new Map<string, Promise<unknown>>();

  /** Runs a task when those of the same name that came before are done, whether they failed or not. */
  async take<T>(name: string, task: () => Promise<T>): Promise<T> {
    const before = this.#last.get(name) ?? Promise.resolve();
    const turn = before.then(task, task);
    this.#last.set(name, turn);
    try {
      return await turn;
    } finally {
      if (this.#last.get(name) === turn) this.#last.delete(name);
    }
  }
}
