/** The head of a JSON line: level, time, logger and message, put together of pieces that are made once. */
import type { LogEntry, LogLevel } from '@sluice/registry';
import type { EntryFormat } from './options.ts';

/** What surrounds the time in the heads of like entries. */
interface Frame {
  readonly level: LogLevel;
  readonly message: string;
  readonly before: string;
  readonly after: string;
}

/** So many loggers have their last frame kept. */
const mostFrames = 256;

/** Writes heads for one encoder. */
export class JsonHead {
  readonly #format: EntryFormat;
  readonly #frames = new Map<string, Frame>();
  #time = Number.NaN;
  #timeText = '';

  constructor(format: EntryFormat) {
    this.#format = format;
  }

  /** `{"level":"info","ts":1.5,"logger":"http","msg":"…"`, without the closing brace; a lone brace if no part is wanted. */
  of(entry: LogEntry): string {
    let frame = this.#frames.get(entry.logger);
    if (frame === undefined || frame.level !== entry.level || frame.message !== entry.message) {
      frame = this.#frame(entry);
      if (this.#frames.size >= mostFrames) this.#frames.clear();
      this.#frames.set(entry.logger, frame);
    }
    if (this.#format.timeKey === null) return frame.before + frame.after;
    if (entry.time !== this.#time) {
      this.#time = entry.time;
      this.#timeText = this.#format.timeText(entry);
    }
    return frame.before + this.#timeText + frame.after;
  }

  #frame({ level, logger, message }: LogEntry): Frame {
    const { levelKey, timeKey, nameKey, messageKey } = this.#format;
    let before = '{';
    let after = '';
    const comma = (text: string): string => (text === '{' ? '' : ',');
    if (levelKey !== null) before += `${JSON.stringify(levelKey)}:${JSON.stringify(this.#format.level(level))}`;
    if (timeKey !== null) before += `${comma(before)}${JSON.stringify(timeKey)}:`;
    if (nameKey !== null && logger !== '')
      after += `${comma(before + after)}${JSON.stringify(nameKey)}:${JSON.stringify(logger)}`;
    if (messageKey !== null)
      after += `${comma(before + after)}${JSON.stringify(messageKey)}:${JSON.stringify(message)}`;
    return { level, message, before, after };
  }
}
