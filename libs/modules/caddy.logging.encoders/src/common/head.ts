/** Head of a JSON line (level, time, logger and message), assembled from cached parts. */
import { flat, type LogEntry, type LogLevel } from '@sluice/base';
import type { EntryFormat } from './options.ts';

/** Parts around the time, shared by similar entries. */
interface Frame {
  readonly logger: string;
  readonly level: LogLevel;
  readonly message: string;
  readonly before: string;
  readonly after: string;
}

/** Maximum number of loggers with cached parts. */
const maxFrames = 256;

/** Writes heads for one encoder. */
export class JsonHead {
  readonly #format: EntryFormat;
  readonly #frames = new Map<string, Frame>();
  /** Previous frame, because most entries are similar, and many have the same millisecond. */
  #last: Frame | null = null;
  #time = Number.NaN;
  #text = '';

  constructor(format: EntryFormat) {
    this.#format = format;
  }

  /** Returns `{"level":"info","ts":1.5,"logger":"http","msg":"…"` without the closing brace; only `{` if no part is enabled. */
  alone(entry: LogEntry): string {
    const text = this.beforeFields(entry);
    return text.endsWith(',') ? text.slice(0, -1) : text;
  }

  /** Like {@link alone}, with a comma for subsequent fields. */
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
