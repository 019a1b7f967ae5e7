/** The layer 4 `proxy` handler: connects clients to upstreams. */
import type { Duplex } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { isUpstreamError, UpstreamError } from '@sluice/http-app';
import type { Layer4Connection, Layer4Handler, Layer4Policy } from '@sluice/layer4-app';
import { closeTogether, Pipe } from '../common/pipe.ts';
import type { Candidate } from './candidate.ts';
import type { ProxyMeter } from './meter.ts';

/** Dependencies and settings of a layer 4 proxy. Times are in milliseconds. */
export interface ProxyParts {
  readonly candidates: readonly Candidate[];
  readonly policy: Layer4Policy;
  readonly tryDuration: number;
  readonly tryInterval: number;
  /** Version of the PROXY header to send, or 0 to send none. */
  readonly header: 0 | 1 | 2;
  readonly meter: ProxyMeter | null;
}

export class Layer4Proxy implements Layer4Handler {
  readonly #parts: ProxyParts;

  constructor(parts: ProxyParts) {
    this.#parts = parts;
  }

  async handle(connection: Layer4Connection): Promise<void> {
    const { tryDuration, tryInterval, header } = this.#parts;
    const startedAt = performance.now();
    const failed = new Set<Candidate>();
    for (;;) {
      const candidate = this.#select(connection, failed);
      if (candidate !== null) {
        try {
          const sockets = await candidate.upstream.connect(connection, header);
          if (connection.closed) {
            for (const socket of sockets) socket.destroy();
            candidate.leave();
          } else this.#join(connection, candidate, sockets);
          return;
        } catch (error) {
          candidate.leave();
          if (connection.closed) return;
          if (isUpstreamError(error)) candidate.failed(error);
          failed.add(candidate);
          if (performance.now() - startedAt >= tryDuration) throw error;
        }
      } else if (performance.now() - startedAt >= tryDuration)
        throw new UpstreamError('dial', 'no upstream is available');
      await sleep(tryInterval);
      if (connection.closed) return;
    }
  }

  /** Selects an upstream and counts the connection. Selects a failed upstream only if no other one is available. */
  #select(connection: Layer4Connection, failed: ReadonlySet<Candidate>): Candidate | null {
    const { candidates, policy } = this.#parts;
    const fresh = failed.size === 0 ? candidates : candidates.filter((each) => !failed.has(each));
    const found =
      policy.select(fresh, connection) ?? (failed.size === 0 ? null : policy.select(candidates, connection));
    return found?.enter() === true ? found : null;
  }

  #join(connection: Layer4Connection, candidate: Candidate, upstreams: readonly Duplex[]): void {
    const { meter } = this.#parts;
    const client = connection.socket;
    const close = (): void => connection.cut();
    candidate.open.add(close);
    meter?.opened(candidate.address);
    connection.settle();
    closeTogether([client, ...upstreams], connection, () => {
      candidate.open.delete(close);
      meter?.closed(candidate.address);
      candidate.leave();
    });
    new Pipe(client, upstreams, connection).start(connection);
    let left = upstreams.length;
    const ended =
      left === 1
        ? null
        : (): void => {
            if (--left === 0) client.end();
          };
    for (const upstream of upstreams) new Pipe(upstream, [client], connection, ended).start(connection);
  }
}
