/** What threads say to each other about lines of logs. */
import { question, topic, type Question, type Topic } from '@sluice/threads';

/** Lines for an output of the control thread. */
export interface Lines {
  /** Key of the output's writer. */
  readonly key: string;
  /** Number of the block that the lines are in, or -1 where it is not used again. */
  readonly block: number;
  /** The memory of the block when it is sent for the first time. */
  readonly memory: SharedArrayBuffer | null;
  /** Bytes. */
  readonly length: number;
  readonly lines: number;
  /** How many lines could not be sent since the last message. */
  readonly dropped: number;
}

/** A thread reports its lines, those of a few milliseconds together. */
export const linesTopic: Topic<Lines> = topic('log-lines');
/** The response of a thread when it has sent its last line for the output of this key. */
export const unusedQuestion: Question<string, null> = question('log-output-unused');
