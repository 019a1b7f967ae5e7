/** Recordings of requests, and the messages between threads about them. */
import { question, topic, type Question, type Topic } from '@sluice/threads';

/** Selects requests to record. In patterns, `*` matches any characters, and one of several patterns must match. */
export interface TraceMatch {
  readonly host: readonly string[];
  readonly path: readonly string[];
  readonly method: readonly string[];
  /** Statuses, and classes such as `5xx`. */
  readonly status: readonly string[];
  /** Values by lowercase name. */
  readonly header: Readonly<Record<string, readonly string[]>>;
}

/** Recording, as sent to traffic threads. */
export interface RecordingOrder {
  readonly id: string;
  readonly match: TraceMatch;
  /** Share of matching requests, from 0 to 1. */
  readonly sample: number;
  /** Maximum number of requests. */
  readonly count: number;
}

export interface RecordedRequest {
  readonly recording: string;
  /** See `docs/guide/observing.md`. The control thread adds its `id`. */
  readonly trace: Readonly<Record<string, unknown>>;
}

/** Sent from the control thread: all active recordings. */
export const recordingsTopic: Topic<readonly RecordingOrder[]> = topic('traces.recordings');

/** Question that threads ask when they start serving. */
export const recordingsQuestion: Question<null, readonly RecordingOrder[]> = question('traces.recordings');

/** Sent to the control thread. */
export const recordedTopic: Topic<RecordedRequest> = topic('traces.recorded');
