/** Long-lived upgraded connections and event streams through one member, on a route that never changes. */
import { EventStreams, Tunnels, type StreamResult } from '../soak/streams.ts';
import { UpstreamProcess } from '../soak/upstream-process.ts';

export interface HeldPlan {
  readonly tunnels: number;
  readonly streams: number;
}

export interface HeldResult {
  readonly tunnels: StreamResult;
  readonly streams: StreamResult;
}

/** Long-lived connections, and the upstream that they connect to. */
export class HeldConnections {
  readonly #upstream: UpstreamProcess;
  readonly #plan: HeldPlan;
  #open: { readonly tunnels: Tunnels; readonly streams: EventStreams } | null = null;

  private constructor(upstream: UpstreamProcess, plan: HeldPlan) {
    this.#upstream = upstream;
    this.#plan = plan;
  }

  /** Starts the upstream. */
  static async start(plan: HeldPlan): Promise<HeldConnections> {
    return new HeldConnections(await new UpstreamProcess().start(), plan);
  }

  /** Route for the connections, to be added to the document. */
  get route(): unknown {
    const upstreams = [{ dial: `127.0.0.1:${this.#upstream.port}` }];
    return { match: [{ path: ['/held/*'] }], handle: [{ handler: 'reverse_proxy', upstreams }] };
  }

  async open(port: number): Promise<void> {
    const tunnels = new Tunnels(this.#plan.tunnels, port, '/held/ws');
    await tunnels.open();
    const streams = new EventStreams(this.#plan.streams, port, '/held/events');
    await streams.open();
    this.#open = { tunnels, streams };
  }

  /** Closes the connections. Returns their result, or `null` if none were opened. */
  async stop(): Promise<HeldResult | null> {
    const open = this.#open;
    this.#open = null;
    const result = open === null ? null : { streams: open.streams.stop(), tunnels: await open.tunnels.stop() };
    await this.#upstream.kill();
    return result;
  }
}

/** Returns descriptions of the connections that were lost. */
export function heldProblems(result: HeldResult | null, plan: HeldPlan): string[] {
  return Object.entries(result ?? {}).flatMap(([name, { opened, closed, lost }]: [string, StreamResult]) => {
    const wanted = name === 'tunnels' ? plan.tunnels : plan.streams;
    return opened === wanted && closed === 0 && lost === 0
      ? []
      : [`${name}: ${opened} of ${wanted} were opened, ${closed} closed, ${lost} messages lost`];
  });
}
