/** Measures the cost of cluster changes for a Gateway: CPU time, time until the changes are served, and failed requests. */
import { setTimeout as sleep } from 'node:timers/promises';
import { processorTime, residentMemory } from '../processes.ts';
import type { TestCluster } from './cluster.ts';
import { collections, hostOf, namespace, route, routeName, service, serviceName, slice } from './objects.ts';
import type { GatewayClient } from './requests.ts';

/** Delay between two object changes, in milliseconds. */
const eventDelay = 50;

export type EventKind = 'EndpointSlice' | 'HTTPRoute';

export interface EventCost {
  /** CPU time per object change while no requests are sent, in milliseconds. */
  readonly processor: number;
  /** Times from the API server's response until the change is served, in milliseconds. */
  readonly served: readonly number[];
}

export interface Churn {
  readonly requests: number;
  readonly failed: number;
  readonly seconds: number;
}

export class Bench {
  readonly #cluster: TestCluster;
  readonly #client: GatewayClient;
  readonly #pid: number;
  readonly #address: string;
  /** Ports of the two upstreams. Changes alternate between them. */
  readonly #ports: readonly [number, number];
  readonly #upstreams = new Map<number, number>();
  readonly #versions = new Map<number, number>();
  #count = 0;

  constructor(
    cluster: TestCluster,
    client: GatewayClient,
    { pid, address, ports }: { pid: number; address: string; ports: readonly [number, number] },
  ) {
    this.#cluster = cluster;
    this.#client = client;
    this.#pid = pid;
    this.#address = address;
    this.#ports = ports;
  }

  /** Returns the resident memory of the Gateway, in MiB. */
  memory(): number {
    return residentMemory(this.#pid);
  }

  /**
   * Creates routes with their Services until there are `count` routes. Returns the times in seconds until they were created and until they
   * were served.
   */
  async grow(count: number): Promise<{ created: number; served: number }> {
    const first = this.#count;
    this.#count = count;
    await this.#cluster.each(first, count, (n) => this.#cluster.apply(collections.services, service(n)));
    await this.#cluster.each(first, count, (n) => this.#applySlice(n));
    const began = performance.now();
    await this.#cluster.each(first, count, (n) => this.#cluster.apply(collections.routes, route(n)));
    const created = performance.now();
    await this.#cluster.each(first, count, async (n) => {
      await this.#client.until(hostOf(n), ({ status }) => status === 200);
    });
    return { created: (created - began) / 1000, served: (performance.now() - created) / 1000 };
  }

  /** Changes objects of one kind, one at a time. */
  async events(kind: EventKind, count: number): Promise<EventCost> {
    for (let i = 0; i < 20; i++) await this.#change(kind, this.#anyRoute());
    await sleep(3000);
    const before = processorTime(this.#pid);
    const began = performance.now();
    await sleep(3000);
    const idle = (processorTime(this.#pid) - before) / (performance.now() - began);
    const start = [processorTime(this.#pid), performance.now()] as const;
    for (let i = 0; i < count; i++) {
      await this.#change(kind, this.#anyRoute());
      await sleep(eventDelay);
    }
    const busy = processorTime(this.#pid) - start[0] - idle * (performance.now() - start[1]);
    const served: number[] = [];
    for (let i = 0; i < count; i++) {
      const n = this.#anyRoute();
      await this.#change(kind, n);
      served.push(await this.#untilCurrent(n));
      await sleep(eventDelay);
    }
    return { processor: busy / count / 1000, served };
  }

  /** Creates routes one at a time. Returns the time in milliseconds until each one is served. */
  async newRoutes(count: number): Promise<readonly number[]> {
    const times: number[] = [];
    for (let i = 0; i < count; i++) {
      const n = 1_000_000 + i;
      await this.#cluster.apply(collections.services, service(n));
      await this.#applySlice(n);
      await sleep(eventDelay);
      await this.#cluster.apply(collections.routes, route(n));
      times.push(await this.#client.until(hostOf(n), ({ status }) => status === 200));
      await this.#cluster.remove(collections.routes, namespace, routeName(n));
      await this.#cluster.remove(collections.slices, namespace, serviceName(n));
      await this.#cluster.remove(collections.services, namespace, serviceName(n));
      await sleep(eventDelay);
    }
    return times;
  }

  /** Changes `routes` routes and all EndpointSlices. Meanwhile, `clients` clients send requests to all routes. */
  async churn(routes: number, clients: number): Promise<Churn> {
    let isRunning = true;
    let [requests, failed] = [0, 0];
    const load = async (): Promise<void> => {
      while (isRunning) {
        const { status } = await this.#client.get(hostOf(this.#anyRoute()));
        requests++;
        if (status !== 200) failed++;
        await sleep(pauseOfClient);
      }
    };
    const began = performance.now();
    const loads = Array.from({ length: clients }, load);
    await this.#cluster.each(0, routes, (n) => this.#change('HTTPRoute', n));
    await this.#cluster.each(0, this.#count, (n) => this.#change('EndpointSlice', n));
    for (let n = 0; n < this.#count; n += 10) await this.#untilCurrent(n);
    isRunning = false;
    await Promise.all(loads);
    return { requests, failed, seconds: (performance.now() - began) / 1000 };
  }

  async #change(kind: EventKind, n: number): Promise<void> {
    if (kind === 'EndpointSlice') {
      this.#upstreams.set(n, 1 - (this.#upstreams.get(n) ?? 0));
      await this.#applySlice(n);
    } else {
      this.#versions.set(n, (this.#versions.get(n) ?? 0) + 1);
      await this.#cluster.apply(collections.routes, route(n, this.#versions.get(n)));
    }
  }

  #applySlice(n: number): Promise<void> {
    const port = this.#ports[this.#upstreams.get(n) ?? 0] ?? 0;
    return this.#cluster.apply(collections.slices, slice(n, this.#address, port));
  }

  #untilCurrent(n: number): Promise<number> {
    const [body, version] = [String(this.#upstreams.get(n) ?? 0), String(this.#versions.get(n) ?? 0)];
    return this.#client.until(hostOf(n), (answer) => answer.body === body && answer.version === version);
  }

  #anyRoute(): number {
    return Math.floor(Math.random() * this.#count);
  }
}

/** Delay between two requests of a client, in milliseconds. */
const pauseOfClient = 5;
