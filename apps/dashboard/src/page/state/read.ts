/** Reads what a view shows, and reads it again after changes, or every few seconds. */
import { useSignal, type Signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { ask, isUnreachable, reasonOf, Refused } from '../api/client.ts';
import type { Call } from '../api/calls.ts';
import { configChanges } from './events.ts';

/** What was read, or why not. */
export interface Read<T> {
  readonly value: T | null;
  readonly problem: string | null;
  /** Reads it again. */
  readonly again: () => void;
}

/** Reads a call when the view opens. `every`: milliseconds until it is read again; without it after changes alone. */
export function useRead<T>(call: Call | null, every?: number): Read<T> {
  const value: Signal<T | null> = useSignal<T | null>(null);
  const problem = useSignal<string | null>(null);
  const turn = useSignal(0);
  const key = call === null ? '' : `${call.method} ${call.path} ${JSON.stringify(call.query ?? null)}`;
  useEffect(() => {
    if (call === null) return undefined;
    const abort = new AbortController();
    let reading = false;
    const read = async (): Promise<void> => {
      if (reading) return;
      reading = true;
      try {
        value.value = (await ask(call, abort.signal)).json as T;
        problem.value = null;
      } catch (error) {
        if (!abort.signal.aborted && !isBusy(error) && !isUnreachable(error)) problem.value = reasonOf(error);
      }
      reading = false;
    };
    void read();
    const timer = every === undefined ? undefined : setInterval(() => document.hidden || void read(), every);
    return () => {
      abort.abort();
      clearInterval(timer);
    };
    // What is read again anyway need not be read at once after a change.
  }, [key, turn.value, every === undefined ? configChanges.value : 0]);
  return { value: value.value, problem: problem.value, again: () => void (turn.value += 1) };
}

/** Whether the server does the same for another client just now: the next try will do. */
function isBusy(error: unknown): boolean {
  return error instanceof Refused && error.status === 429;
}
