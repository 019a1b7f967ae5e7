/** Reads the data of a view. Reloads it after configuration changes or at an interval. */
import { useSignal, type Signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { ask, isUnreachable, reasonOf, Refused } from '../api/client.ts';
import type { Call } from '../api/calls.ts';
import { configChanges } from './events.ts';

export interface Read<T> {
  readonly value: T | null;
  readonly problem: string | null;
  readonly again: () => void;
}

/**
 * Makes a call when the view opens. `every` is the interval in milliseconds. If it is not set, the call is repeated after configuration
 * changes.
 */
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
    // If there is an interval, ignore configuration changes.
  }, [key, turn.value, every === undefined ? configChanges.value : 0]);
  return { value: value.value, problem: problem.value, again: () => void (turn.value += 1) };
}

/** Reports whether the server is busy with the same call from another client. If so, a later retry will succeed. */
function isBusy(error: unknown): boolean {
  return error instanceof Refused && error.status === 429;
}
