import { ClientGoneError } from '../errors.ts';

interface Waiter {
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

/** Promises that settle together, either when more data can be written or when the client disconnects. */
export class Waiters {
  #waiting: Waiter[] = [];

  add(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ resolve, reject });
    });
  }

  resolve(): void {
    for (const waiter of this.#take()) waiter.resolve();
  }

  reject(): void {
    for (const waiter of this.#take()) waiter.reject(new ClientGoneError());
  }

  #take(): Waiter[] {
    const waiting = this.#waiting;
    this.#waiting = [];
    return waiting;
  }
}
