/** Recordings of requests, and the messages that threads exchange about them. */
import { question, topic, type Question, type Topic } from '@sluice/threads';

/** Selects the requests to record. In patterns, `*` matches any characters. If several patterns are given, at least one must match. */
export interface TraceMatch {
  readonly host: readonly string[];
  readonly path: readonly string[];
  readonly method: readonly string[];
  /** Statuses, such as `404`, and status classes, such as `5xx`. */
  readonly status: readonly string[];
  /** Patterns for header field values, by lowercase field name. */
  readonly header: Readonly<Record<string, readonly string[]>>;
}

/** A recording, as sent to traffic threads. */
export interface RecordingOrder {
  readonly id: string;
  readonly match: TraceMatch;
  /** Fraction of matching requests to record, from 0 to 1. */
  readonly sample: number;
  /** Maximum number of requests to record. */
  readonly count: number;
}

export interface RecordedRequest {
  readonly recording: string;
  /** Trace of the request, documented in `docs/guide/observing.md`. The control thread adds the `id` field. */
  readonly trace: Readonly<Record<string, unknown>>;
}

/** Topic on which the control thread sends all active recordings. */
export const recordingsTopic: Topic<readonly RecordingOrder[]> = topic('traces.recordings');

/** Message that a thread sends when it starts serving requests. The response contains the active recordings. */
export const recordingsQuestion: Question<null, readonly RecordingOrder[]> = question('traces.recordings');

/** Topic on which traffic threads send recorded requests to the control thread. */
export const recordedTopic: Topic<RecordedRequest> = topic('traces.recorded');
