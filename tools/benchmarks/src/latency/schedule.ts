/**
 * Open-loop schedule: requests are due at fixed times, regardless of earlier responses. Late requests wait in a queue. Their time is
 * measured from the due time, so that a stalled server is charged for all requests during the stall. A closed loop, as in wrk, would only
 * send fewer requests.
 */

/** Sender of requests, one at a time. */
export interface Lane {
  /** Sends a request. Calls `done` once, with true if a response arrived. */
  send(done: (responded: boolean) => void): void;
}

/** Results of an open-loop schedule. Times are in milliseconds. */
export interface Outcome {
  readonly times: number[];
  readonly failed: number;
  /** Delays of the load generator itself, for requests that did not have to wait for a lane. */
  readonly lateness: number[];
}

/** Response timeout, as a multiple of the schedule's duration. Requests that have no response by then count as failed. */
const timeoutFactor = 5;

/** Sends requests over the lanes at a rate of `rate` per second. */
export function runSchedule(lanes: readonly Lane[], rate: number, seconds: number): Promise<Outcome> {
  const total = Math.max(1, Math.round(rate * seconds));
  const times: number[] = [];
  const lateness: number[] = [];
  const free = [...lanes];
  let failed = 0;
  let sent = 0;
  const began = performance.now() + 5;
  const dueOf = (index: number): number => began + (index * 1000) / rate;

  return new Promise((resolve) => {
    let isWaiting = false;
    const finish = (): void => {
      clearTimeout(end);
      resolve({ times, failed: total - times.length, lateness });
      sent = total;
    };
    const end = setTimeout(finish, seconds * 1000 * timeoutFactor + 1000);
    const sendDue = (): void => {
      const now = performance.now();
      while (sent < total && free.length > 0 && dueOf(sent) <= now) {
        const due = dueOf(sent++);
        const lane = free.pop() as Lane;
        if (!isWaiting) lateness.push(now - due);
        lane.send((responded) => {
          if (responded) times.push(performance.now() - due);
          else failed++;
          free.push(lane);
          if (times.length + failed === total) finish();
          else if (isWaiting) sendDue();
        });
      }
      isWaiting = sent < total && free.length === 0;
    };
    const tick = (): void => {
      sendDue();
      if (sent >= total) return;
      // Close to the due time, spin the event loop without a timer, because timers are up to a millisecond late.
      const ahead = dueOf(sent) - performance.now();
      if (ahead > 2) setTimeout(tick, ahead - 1.5);
      else setImmediate(tick);
    };
    tick();
  });
}
