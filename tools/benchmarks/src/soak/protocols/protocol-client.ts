/** The load generator of the soak test of all protocols: the quic-go client, which also speaks HTTP/1.1 and HTTP/2. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { http3Client } from '../../http3/ways.ts';
import { onProcessor } from '../../machine.ts';
import type { Protocol, RequestKind } from './plan.ts';

export interface ClientPlan {
  readonly protocol: Protocol;
  readonly address: string;
  /** Address on which the client serves the upstream of proxied requests. */
  readonly upstream: string;
  /** Directory with the files `small`, `medium` and `large`. */
  readonly files: string;
  readonly hosts: readonly string[];
  readonly kept: number;
  /** Idle timeout of QUIC connections, in seconds. */
  readonly idleSeconds: number;
  readonly rates: Readonly<Record<RequestKind, number>>;
}

export interface ClientCounts {
  /** Number of requests by kind. An aborted request succeeded if everything before the abort was correct. */
  readonly succeeded: Readonly<Partial<Record<RequestKind, number>>>;
  /** Number of failed requests, keyed by kind and reason. */
  readonly failures: Readonly<Record<string, number>>;
  /** Number of handshakes that resumed a session. */
  readonly resumed: number;
  /** Number of full handshakes of clients that tried to resume a session. */
  readonly notResumed: number;
  /** Number of handshakes of the persistent connections. */
  readonly keptDials: number;
  /** Number of different certificates seen, by host. */
  readonly certificates: Readonly<Record<string, number>>;
}

export class ProtocolClient {
  readonly pid: number;
  readonly #child: ChildProcess;
  readonly #lines: AsyncIterator<string>;

  private constructor(child: ChildProcess, lines: AsyncIterator<string>) {
    this.pid = child.pid ?? 0;
    this.#child = child;
    this.#lines = lines;
  }

  static async start(plan: ClientPlan): Promise<ProtocolClient> {
    const [program = '', ...args] = onProcessor(1, [await http3Client(), '-mixed', JSON.stringify(plan)]);
    const env = { ...process.env, GOMAXPROCS: '1' };
    const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'inherit'], env });
    return new ProtocolClient(child, createInterface(child.stdout)[Symbol.asyncIterator]());
  }

  /** Returns the counts so far. */
  counts(): Promise<ClientCounts> {
    this.#child.stdin?.write('\n');
    return this.#next();
  }

  /** Waits for requests in flight, and returns the final counts. */
  async stop(): Promise<ClientCounts> {
    const exited = once(this.#child, 'exit');
    this.#child.stdin?.end();
    const counts = await this.#next();
    await exited;
    return counts;
  }

  kill(): void {
    this.#child.kill('SIGKILL');
  }

  async #next(): Promise<ClientCounts> {
    const { done, value } = await this.#lines.next();
    if (done === true) throw new Error('the load generator exited');
    return JSON.parse(value) as ClientCounts;
  }
}
