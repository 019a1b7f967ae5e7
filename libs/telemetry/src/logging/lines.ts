/** Messages that pass log lines between threads. */
import { question, topic, type Question, type Topic } from '@sluice/threads';

/** Log lines that a thread sends to the control thread for one output. */
export interface Lines {
  /** Key of the output's log writer. */
  readonly key: string;
  /** Number of the block that contains the lines, or -1 for a single-use block. */
  readonly block: number;
  /** Shared memory of the block. Set only when the block is sent for the first time. */
  readonly memory: SharedArrayBuffer | null;
  readonly length: number;
  readonly lines: number;
  /** Number of lines dropped since the previous message. */
  readonly dropped: number;
}

/** Topic for a thread's log lines. Lines are batched for a few milliseconds. */
export const linesTopic: Topic<Lines> = topic('log-lines');
/** Notifies a thread that an output is no longer used. The thread replies after it has sent its last line for that output. */
export const unusedQuestion: Question<string, null> = question('log-output-unused');
