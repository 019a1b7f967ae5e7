/** Recordings of requests, and what threads say to each other of them. */
import { question, topic, type Question, type Topic } from '@sluice/threads';

/** Which requests are recorded. Texts may have `*` for any characters; of several one has to fit. */
export interface TraceMatch {
  readonly host: readonly string[];
  readonly path: readonly string[];
  readonly method: readonly string[];
  /** Statuses, and classes such as `5xx`. */
  readonly status: readonly string[];
  /** Values by lower-case name. */
  readonly header: Readonly<Record<string, readonly string[]>>;
}

/** A recording, as the threads that serve know it. */
export interface RecordingOrder {
  readonly id: string;
  readonly match: TraceMatch;
  /** The share of the requests that match, from 0 to 1. */
  readonly sample: number;
  /** Most requests. */
  readonly count: number;
}

export interface RecordedRequest {
  readonly recording: string;
  /** See `docs/guide/observing.md`; its `id` is given by the control thread. */
  readonly trace: Readonly<Record<string, unknown>>;
}

/** From the control thread: all recordings that go on. */
export const recordingsTopic: Topic<readonly RecordingOrder[]> = topic('traces.recordings');

/** Asked by threads that begin to serve. */
export const recordingsQuestion: Question<null, readonly RecordingOrder[]> = question('traces.recordings');

/** To the control thread. */
export const recordedTopic: Topic<RecordedRequest> = topic('traces.recorded');
