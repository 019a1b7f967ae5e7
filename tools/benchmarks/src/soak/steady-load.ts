/** Sends requests at a steady rate over keep-alive connections. Any response other than a 200 with the body `ok` counts as a failure. */
import { connect, type Socket } from 'node:net';

export interface LoadPlan {
  readonly port: number;
  readonly path: string;
  readonly connections: number;
  /** Requests per second, over all connections. */
  readonly rate: number;
  /** If true, every second request is a POST with a body. */
  readonly posts?: boolean;
}

/** Response times in milliseconds, measured from the moment the client writes a request. */
export interface LatencySummary {
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
}

export interface LoadResult {
  readonly sent: number;
  readonly responded: number;
  readonly failures: Readonly<Record<string, number>>;
}

/** Result of a {@link SteadyLoad}. */
export interface TimedLoadResult extends LoadResult {
  readonly latency: LatencySummary;
  /** Number of requests that were not sent because all connections were waiting for a response. */
  readonly skipped: number;
}

/** A load generator that runs from {@link start} until {@link stop}. */
export class SteadyLoad {
  readonly #plan: LoadPlan;
  readonly #clients: Client[];
  readonly #failures: Record<string, number> = {};
  readonly #latencies: number[] = [];
  #sent = 0;
  #responded = 0;
  #skipped = 0;
  #timer: NodeJS.Timeout | null = null;

  constructor(plan: LoadPlan) {
    this.#plan = plan;
    const settled = (failure: string | null, milliseconds: number): void => {
      this.#latencies.push(milliseconds);
      if (failure === null) this.#responded++;
      else this.#failures[failure] = (this.#failures[failure] ?? 0) + 1;
    };
    this.#clients = Array.from({ length: plan.connections }, () => new Client(plan, settled));
  }

  /** Starts sending. Skips a request if no connection becomes free in time. */
  start(): void {
    const began = performance.now();
    let next = 0;
    let due = 0;
    this.#timer = setInterval(() => {
      const target = ((performance.now() - began) * this.#plan.rate) / 1000;
      for (; due < target; due++) {
        const client = this.#clients[next++ % this.#clients.length] as Client;
        if (client.busy) {
          this.#skipped++;
          continue;
        }
        client.send(this.#plan.posts === true && this.#sent % 2 === 1);
        this.#sent++;
      }
    }, 2);
  }

  /** Stops sending until the next {@link start}. Waits for in-flight requests. */
  async pause(): Promise<void> {
    if (this.#timer !== null) clearInterval(this.#timer);
    this.#timer = null;
    for (const end = performance.now() + 10_000; this.#clients.some(({ busy }) => busy);) {
      if (performance.now() > end) break;
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  }

  /** Stops the load generator and returns its result. */
  async stop(): Promise<TimedLoadResult> {
    await this.pause();
    for (const client of this.#clients) client.close();
    return {
      sent: this.#sent,
      responded: this.#responded,
      failures: this.#failures,
      latency: summaryOf(this.#latencies),
      skipped: this.#skipped,
    };
  }
}

function summaryOf(latencies: readonly number[]): LatencySummary {
  const sorted = latencies.toSorted((a, b) => a - b);
  const at = (quantile: number): number =>
    Math.round((sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * quantile))] ?? 0) * 10) / 10;
  return { p50: at(0.5), p99: at(0.99), max: at(1) };
}

/** A client that sends one request at a time. It reconnects if the server closes the connection between requests. */
export class Client {
  busy = false;
  readonly #plan: Pick<LoadPlan, 'port' | 'path'>;
  readonly #settled: (failure: string | null, milliseconds: number) => void;
  #socket: Socket | null = null;
  #received = '';
  #sentAt = 0;

  constructor(plan: Pick<LoadPlan, 'port' | 'path'>, settled: (failure: string | null, milliseconds: number) => void) {
    this.#plan = plan;
    this.#settled = settled;
  }

  /** Sends one request: a GET, or a POST with a body of a few bytes. */
  send(post: boolean): void {
    this.busy = true;
    this.#sentAt = performance.now();
    this.#received = '';
    const socket = (this.#socket ??= this.#connect());
    const head = `${post ? 'POST' : 'GET'} ${this.#plan.path} HTTP/1.1\r\nHost: soak.test\r\n`;
    socket.write(post ? `${head}Content-Length: 5\r\n\r\nhello` : `${head}\r\n`);
  }

  #connect(): Socket {
    const socket = connect({ port: this.#plan.port, host: '127.0.0.1', noDelay: true });
    socket.setEncoding('latin1');
    socket.on('error', () => socket.destroy());
    socket.on('close', () => {
      if (this.#socket !== socket) return;
      this.#socket = null;
      if (this.busy) this.#settle('connection closed');
    });
    socket.on('data', (text: string) => {
      this.#received += text;
      const headEnd = this.#received.indexOf('\r\n\r\n');
      if (headEnd < 0) return;
      const length = /\r\nContent-Length: (\d+)/i.exec(this.#received);
      if (length !== null && this.#received.length < headEnd + 4 + Number(length[1])) return;
      const status = this.#received.slice(9, 12);
      this.#settle(status !== '200' ? `status ${status}` : this.#received.endsWith('ok') ? null : 'wrong body');
    });
    return socket;
  }

  #settle(failure: string | null): void {
    this.busy = false;
    this.#settled(failure, performance.now() - this.#sentAt);
  }

  close(): void {
    const socket = this.#socket;
    this.#socket = null;
    socket?.destroy();
  }
}
