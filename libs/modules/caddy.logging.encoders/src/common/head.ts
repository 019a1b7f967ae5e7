/** Assembles the start of a JSON log line (level, time, logger and message) from cached parts. */
import { flat, type LogEntry, type LogLevel } from '@sluice/base';
import type { EntryFormat } from './options.ts';

/** Cached text before and after the time. Entries with the same level, logger and message share it. */
interface Frame {
  readonly logger: string;
  readonly level: LogLevel;
  readonly message: string;
  readonly before: string;
  readonly after: string;
}

/** Maximum number of cached frames. */
const maxFrames = 256;

/** Writes the start of JSON log lines for one encoder. */
export class JsonHead {
  readonly #format: EntryFormat;
  readonly #frames = new Map<string, Frame>();
  /** Frame of the previous entry. Consecutive entries are often similar, and many share the same millisecond. */
  #last: Frame | null = null;
  #time = Number.NaN;
  #text = '';

  constructor(format: EntryFormat) {
    this.#format = format;
  }

  /**
   * Returns the start of a line without the closing brace: `{"level":"info","ts":1.5,"logger":"http","msg":"…"`. Returns only `{` if no
   * part is enabled.
   */
  alone(entry: LogEntry): string {
    const text = this.beforeFields(entry);
    return text.endsWith(',') ? text.slice(0, -1) : text;
  }

  /** Like {@link alone}, but adds a comma for the fields that follow. */
  beforeFields(entry: LogEntry): string {
    let frame = this.#last;
    if (frame === null || !frames(frame, entry)) frame = this.#frameOf(entry);
    else if (entry.time === this.#time) return this.#text;
    this.#last = frame;
    this.#time = entry.time;
    const time = this.#format.timeKey === null ? '' : this.#format.timeText(entry);
    const text = frame.before + time + frame.after;
    this.#text = flat(text === '{' ? text : `${text},`);
    return this.#text;
  }

  #frameOf(entry: LogEntry): Frame {
    const known = this.#frames.get(entry.logger);
    if (known !== undefined && frames(known, entry)) return known;
    const frame = this.#frame(entry);
    if (this.#frames.size >= maxFrames) this.#frames.clear();
    this.#frames.set(entry.logger, frame);
    return frame;
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
    return { logger, level, message, before, after };
  }
}

function frames(frame: Frame, { logger, level, message }: LogEntry): boolean {
  return frame.logger === logger && frame.level === level && frame.message === message;
}
