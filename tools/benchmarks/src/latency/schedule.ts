/**
 * An open-loop schedule: requests are due at fixed times, whatever became of those before. What is late waits in a queue, and
 * its time counts from when it was due, so that a server that stands still for a moment is charged with all that would have
 * come meanwhile. (A closed loop, as that of wrk, would just ask less often.)
 */

/** Sends requests: one at a time on each of its lanes. */
export interface Lane {
  /** Sends a request; calls back once, with whether a response came. */
  send(done: (responded: boolean) => void): void;
}

/** What came of a schedule. Times in milliseconds. */
export interface Outcome {
  readonly times: number[];
  readonly failed: number;
  /** How late the generator itself came to requests for which a lane was free. */
  readonly lateness: number[];
}

/** After so many times as long as a schedule takes, what got no response has failed. */
const patience = 5;

/** Runs a schedule of `rate` requests per second over the lanes. */
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
    const end = setTimeout(finish, seconds * 1000 * patience + 1000);
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
      // Timers come up to a millisecond late: near the time the loop is turned without one.
      const ahead = dueOf(sent) - performance.now();
      if (ahead > 2) setTimeout(tick, ahead - 1.5);
      else setImmediate(tick);
    };
    tick();
  });
}
