/** Sends requests at a steady rate over kept-alive connections. Responses other than 200 with `ok` count as failures. */
import { connect, type Socket } from 'node:net';

export interface LoadPlan {
  readonly port: number;
  readonly path: string;
  readonly connections: number;
  /** Requests per second, over all connections. */
  readonly rate: number;
  /** True to make every second request a POST with a body. */
  readonly posts?: boolean;
}

/** Response times in milliseconds, from the moment at which a request is written. */
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
  /** Requests that were not sent because all connections were waiting for a response. */
  readonly skipped: number;
}

/** A load that runs from {@link start} to {@link stop}. */
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

  /** Starts sending. Requests for which no connection is free in time are skipped. */
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

  /** Stops sending until {@link start}. Waits for requests in flight. */
  async pause(): Promise<void> {
    if (this.#timer !== null) clearInterval(this.#timer);
    this.#timer = null;
    for (const end = performance.now() + 10_000; this.#clients.some(({ busy }) => busy);) {
      if (performance.now() > end) break;
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  }

  /** Ends the load, and returns its result. */
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

/** A client with one request at a time. The client reconnects if the connection is closed between requests. */
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

  /** Sends a request: a GET, or a POST of a few bytes. */
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
