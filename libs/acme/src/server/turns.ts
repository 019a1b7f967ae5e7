/** Serializes tasks that have the same name. */

export class Turns {
  readonly #last = new Map<string, Promise<unknown>>();

  /** Runs a task after all earlier tasks with the same name have settled. */
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
