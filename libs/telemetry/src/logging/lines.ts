/** Messages between threads about log lines. */
import { question, topic, type Question, type Topic } from '@sluice/threads';

/** Lines for an output of the control thread. */
export interface Lines {
  /** Key of the output's writer. */
  readonly key: string;
  /** Number of the block that contains the lines; -1 if the block is not reused. */
  readonly block: number;
  /** Block memory, if the block is sent for the first time. */
  readonly memory: SharedArrayBuffer | null;
  readonly length: number;
  readonly lines: number;
  /** Number of lines dropped since the last message. */
  readonly dropped: number;
}

/** Sends lines of a thread, batched over a few milliseconds. */
export const linesTopic: Topic<Lines> = topic('log-lines');
/** Requests a response from a thread after its last line for the output with this key. */
export const unusedQuestion: Question<string, null> = question('log-output-unused');
