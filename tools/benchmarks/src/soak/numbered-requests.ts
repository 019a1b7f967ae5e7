/** Sends requests for `/0`, `/1`, … over keep-alive connections, and runs actions between requests. */
import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

export interface NumberedPlan {
  readonly port: number;
  readonly requests: number;
  readonly connections: number;
  /** Requests per second over all connections. By default, requests are sent as fast as the server can handle them. */
  readonly rate?: number;
  /**
   * Actions to run one after another, at evenly spaced points in the sequence of requests. Of `n` actions, the action with index `i` runs
   * when the fraction `(i + 1) / (n + 1)` of the requests has been sent.
   */
  readonly between: readonly (() => Promise<void>)[];
}

/** Sends the requests. Returns the numbers of the requests whose status was not 200. */
export async function sendNumbered({ port, requests, connections, rate, between }: NumberedPlan): Promise<Set<number>> {
  const failed = new Set<number>();
  const steps = between.map((run, i) => ({ at: Math.floor((requests * (i + 1)) / (between.length + 1)), run }));
  let done = Promise.resolve();
  const began = performance.now();
  const pace = rate === undefined ? 0 : 1000 / rate;
  let next = 0;
  const client = async (): Promise<void> => {
    // Uses a different source port per connection so that every worker receives some connections.
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    while (next < requests) {
      const number = next++;
      const early = began + number * pace - performance.now();
      if (early > 1) await sleep(early);
      for (const { at, run } of steps) if (at === number) done = done.then(run);
      if ((await ask(port, `/${number}`, agent)) !== 200) failed.add(number);
    }
    agent.destroy();
  };
  await Promise.all(Array.from({ length: connections }, client));
  await done;
  return failed;
}

/** Returns the response status, or 0 if there was no response. */
function ask(port: number, path: string, agent: Agent): Promise<number> {
  return new Promise((resolve) => {
    const sent = request({ host: '127.0.0.1', port, path, agent }, (response) => {
      response
        .resume()
        .on('end', () => resolve(response.statusCode ?? 0))
        .on('error', () => resolve(0));
    });
    sent.on('error', () => resolve(0)).end();
  });
}

/** Result of comparing an access log with the requests that received responses. */
export interface LineCount {
  readonly requests: number;
  /** Number of requests without a response. They may or may not have a log line. */
  readonly failed: number;
  readonly lines: number;
  /** Number of requests with a response but no log line. */
  readonly missing: number;
  /** Number of duplicate log lines. */
  readonly doubled: number;
  /** Number of lines that are not valid access log entries. */
  readonly torn: number;
}

/** Compares log lines with requests. Ignores lines for paths that contain no request number, such as `/ready`. */
export function countLines(lines: Iterable<string>, requests: number, failed: ReadonlySet<number>): LineCount {
  const seen = new Set<number>();
  let total = 0;
  let torn = 0;
  for (const line of lines) {
    const number = numberIn(line);
    if (number === null) torn++;
    else if (!Number.isNaN(number)) {
      total++;
      seen.add(number);
    }
  }
  let missing = 0;
  for (let number = 0; number < requests; number++) if (!seen.has(number) && !failed.has(number)) missing++;
  return { requests, failed: failed.size, lines: total, missing, doubled: total - seen.size, torn };
}

function numberIn(line: string): number | null {
  try {
    const { request: logged } = JSON.parse(line) as { request: { uri: string } };
    return /^\/\d+$/.test(logged.uri) ? Number(logged.uri.slice(1)) : Number.NaN;
  } catch {
    return null;
  }
}
