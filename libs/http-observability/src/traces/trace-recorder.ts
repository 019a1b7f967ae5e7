/**
 * Records the requests of a thread. During a recording, servers run an observed handler chain. At other times, they run the normal chain
 * without overhead for requests.
 */
import { guarded, taskOf, unawaited } from '@sluice/base';
import type { ThreadBus } from '@sluice/threads';
import type { Probe, ServerWatch, WatchedServer } from '@sluice/http-app';
import { recordedTopic, recordingsQuestion, recordingsTopic, type RecordingOrder } from './recording.ts';

const task = taskOf('traces');

export class TraceRecorder implements ServerWatch {
  readonly #bus: ThreadBus;
  readonly #servers = new Map<string, WatchedServer>();
  #orders: readonly RecordingOrder[] = [];
  #probe: Probe | null = null;
  #asked = false;

  constructor(bus: ThreadBus) {
    this.#bus = bus;
    bus.onBroadcast(
      recordingsTopic,
      guarded(task, (orders) => this.#record(orders)),
    );
  }

  /** Called for each server when a configuration becomes active. */
  serve(server: WatchedServer): void {
    this.#servers.set(server.name, server);
    if (this.#probe !== null) server.watch(this.#probe);
    if (this.#asked) return;
    this.#asked = true;
    // A replacement worker continues the recordings of the worker that it replaces.
    unawaited(
      task,
      this.#bus.ask(recordingsQuestion, null).then(
        (orders) => this.#record(orders),
        () => undefined,
      ),
    );
  }

  drop(server: WatchedServer): void {
    if (this.#servers.get(server.name) === server) this.#servers.delete(server.name);
  }

  #record(orders: readonly RecordingOrder[]): void {
    const known = new Set(this.#orders.map(({ id }) => id));
    if (orders.length === known.size && orders.every(({ id }) => known.has(id))) return;
    this.#orders = orders;
    if (orders.length === 0) this.#watch(null);
    else unawaited(task, this.#begin(orders));
  }

  async #begin(orders: readonly RecordingOrder[]): Promise<void> {
    const { TraceProbe } = await import('./trace-probe.ts');
    // The recordings may have changed or ended in the meantime.
    if (orders !== this.#orders) return;
    this.#watch(new TraceProbe(orders, this.#bus.thread, (request) => this.#bus.report(recordedTopic, request)));
  }

  #watch(probe: Probe | null): void {
    this.#probe = probe;
    for (const server of this.#servers.values()) server.watch(probe);
  }
}
