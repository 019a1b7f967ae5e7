/** Recordings of a server and their traces. The control thread keeps them in bounded memory. */
import { guarded, SluiceError, taskOf } from '@sluice/base';
import { token, type Token } from '@sluice/registry';
import type { ThreadBus } from '@sluice/threads';
import {
  recordedTopic,
  recordingsQuestion,
  recordingsTopic,
  type RecordedRequest,
  type RecordingOrder,
} from './recording.ts';

/** Maximum number of active recordings. `maxKept` is the maximum number of recordings that are kept with their traces. */
const maxActive = 4;
const maxKept = 8;
/** Maximum number of traces in all recordings. `maxBytes` is their maximum total size, in bytes of JSON. */
const maxTraces = 1000;
const maxBytes = 4 * 1024 * 1024;
/** Maximum age of a trace, in milliseconds. */
const keptFor = 60 * 60 * 1000;

const task = taskOf('traces');

export interface RecordingRequest {
  /** Request filter, as written by the API client. */
  readonly match: Readonly<Record<string, unknown>>;
  readonly order: Omit<RecordingOrder, 'id'>;
  readonly seconds: number;
}

export interface RecordingStatus {
  readonly id: string;
  readonly match: Readonly<Record<string, unknown>>;
  readonly sample: number;
  readonly count: number;
  readonly seconds: number;
  readonly recorded: number;
  readonly until: string;
  readonly state: 'recording' | 'over';
}

export type Trace = Readonly<Record<string, unknown>> & { readonly id: string; readonly recording: string };

/** Called for each new trace, and for each recording that ends. */
export type TraceListener = (event: 'trace' | 'recording', value: Trace | RecordingStatus) => void;

interface Recording {
  readonly id: string;
  readonly request: RecordingRequest;
  readonly until: number;
  recorded: number;
  timer: NodeJS.Timeout | null;
}

interface KeptTrace {
  readonly trace: Trace;
  readonly bytes: number;
  readonly at: number;
}

/** Starts and stops recordings, and stores the traces that threads send. */
export class RequestTraces {
  readonly #bus: ThreadBus;
  readonly #recordings = new Map<string, Recording>();
  readonly #listeners = new Set<TraceListener>();
  #traces: KeptTrace[] = [];
  #bytes = 0;
  #begun = 0;

  constructor(bus: ThreadBus) {
    this.#bus = bus;
    bus.onReport(
      recordedTopic,
      guarded(task, (request) => this.#take(request)),
    );
    bus.onAsk(recordingsQuestion, () => this.#orders());
  }

  begin(request: RecordingRequest): RecordingStatus {
    if (this.#orders().length >= maxActive)
      throw new SluiceError(
        'ERR_TRACES',
        `${maxActive} recordings are already running; stop one with DELETE /traces?id=…`,
        {
          status: 409,
        },
      );
    const id = `r${++this.#begun}`;
    const milliseconds = request.seconds * 1000;
    const timer = setTimeout(
      guarded(task, () => this.#end(recording)),
      milliseconds,
    ).unref();
    const recording: Recording = { id, request, until: Date.now() + milliseconds, recorded: 0, timer };
    this.#recordings.set(id, recording);
    this.#forgetOld();
    this.#tellThreads();
    return statusOf(recording);
  }

  /** Stops one recording, or all recordings if `id` is `null`. Deletes their traces. Returns the number of recordings. */
  drop(id: string | null): number {
    const dropped = [...this.#recordings.values()].filter((each) => id === null || each.id === id);
    for (const recording of dropped) {
      this.#end(recording);
      this.#forget(recording);
    }
    return dropped.length;
  }

  /** Returns the recording whose ID is `id`, or all recordings if `id` is `null`. */
  recordings(id: string | null): RecordingStatus[] {
    return [...this.#recordings.values()].filter((each) => id === null || each.id === id).map(statusOf);
  }

  /** Returns the traces of one recording or of all recordings, oldest first. */
  traces(id: string | null): Trace[] {
    this.#expire();
    return this.#traces.filter(({ trace }) => id === null || trace.recording === id).map(({ trace }) => trace);
  }

  /** Returns the most recently recorded requests, newest first. */
  last(count: number): readonly Trace[] {
    return this.traces(null).slice(-count).toReversed();
  }

  /** Subscribes a listener. Returns a function that unsubscribes it. */
  follow(listener: TraceListener): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  #take({ recording: id, trace: recorded }: RecordedRequest): void {
    const recording = this.#recordings.get(id);
    if (recording === undefined || recording.timer === null) return;
    const trace: Trace = { id: `${id}-${++recording.recorded}`, recording: id, ...recorded };
    const bytes = JSON.stringify(trace).length;
    this.#traces.push({ trace, bytes, at: Date.now() });
    this.#bytes += bytes;
    while (this.#traces.length > maxTraces || this.#bytes > maxBytes) this.#bytes -= this.#traces.shift()?.bytes ?? 0;
    this.#send('trace', trace);
    if (recording.recorded >= recording.request.order.count) this.#end(recording);
  }

  #end(recording: Recording): void {
    if (recording.timer === null) return;
    clearTimeout(recording.timer);
    recording.timer = null;
    this.#tellThreads();
    this.#send('recording', statusOf(recording));
  }

  #send(event: 'trace' | 'recording', value: Trace | RecordingStatus): void {
    for (const listener of this.#listeners) listener(event, value);
  }

  #tellThreads(): void {
    this.#bus.broadcast(recordingsTopic, this.#orders());
  }

  #orders(): RecordingOrder[] {
    return [...this.#recordings.values()]
      .filter(({ timer }) => timer !== null)
      .map(({ id, request }) => ({ id, ...request.order }));
  }

  #forgetOld(): void {
    for (const recording of this.#recordings.values())
      if (this.#recordings.size > maxKept && recording.timer === null) this.#forget(recording);
  }

  #forget({ id }: Recording): void {
    this.#recordings.delete(id);
    this.#keep(({ trace }) => trace.recording !== id);
  }

  #expire(): void {
    const oldest = Date.now() - keptFor;
    if ((this.#traces[0]?.at ?? oldest) < oldest) this.#keep(({ at }) => at >= oldest);
  }

  #keep(wanted: (kept: KeptTrace) => boolean): void {
    this.#traces = this.#traces.filter(wanted);
    this.#bytes = this.#traces.reduce((sum, { bytes }) => sum + bytes, 0);
  }
}

function statusOf({ id, request, until, recorded, timer }: Recording): RecordingStatus {
  const { match, order, seconds } = request;
  return {
    id,
    match,
    sample: order.sample,
    count: order.count,
    seconds,
    recorded,
    until: new Date(until).toISOString(),
    state: timer === null ? 'over' : 'recording',
  };
}

/** Service token of the server's recordings: `server.service(requestTracesToken)`. */
export const requestTracesToken: Token<RequestTraces> = token<RequestTraces>('request-traces');
