/** Requests for `/0`, `/1`, … over kept connections, with something to do between them. */
import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

/** What to send. */
export interface NumberedPlan {
  readonly port: number;
  readonly requests: number;
  readonly connections: number;
  /** Requests per second, of all connections together. Default: as many as get responses. */
  readonly rate?: number;
  /** Done one after the other, each when its share of the requests has been sent at the earliest. */
  readonly between: readonly (() => Promise<void>)[];
}

/** Sends them, and gives the numbers of those that did not get 200. */
export async function sendNumbered({ port, requests, connections, rate, between }: NumberedPlan): Promise<Set<number>> {
  const failed = new Set<number>();
  const steps = between.map((run, i) => ({ at: Math.floor((requests * (i + 1)) / (between.length + 1)), run }));
  let done = Promise.resolve();
  const began = performance.now();
  const pace = rate === undefined ? 0 : 1000 / rate;
  let next = 0;
  const client = async (): Promise<void> => {
    // Connections of different ports, so that every worker gets some.
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

/** The status; 0 where there was no response. */
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

/** How the lines of an access log compare with the requests that got responses. */
export interface LineCount {
  readonly requests: number;
  /** Requests without a response: they may have a line. */
  readonly failed: number;
  readonly lines: number;
  /** Responded to requests without a line. */
  readonly missing: number;
  /** Lines beyond the first one of a request. */
  readonly doubled: number;
  /** Lines that are not entry of an access log. */
  readonly torn: number;
}

/** Compares them. `/ready` and the like, what has no number, is left out. */
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
