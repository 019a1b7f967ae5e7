/** Durations in nanoseconds, parsed and formatted in Go's notation. */
import { quote } from '../fmt/quote.ts';
import { float64, int64, narrow, TypedNumber } from '../values/number.ts';

const unitSizes: Readonly<Record<string, bigint>> = {
  ns: 1n,
  us: 1_000n,
  µs: 1_000n,
  μs: 1_000n,
  ms: 1_000_000n,
  s: 1_000_000_000n,
  m: 60_000_000_000n,
  h: 3_600_000_000_000n,
};

/** A duration in nanoseconds, equivalent to Go's `time.Duration`. */
export class Duration extends TypedNumber {
  constructor(nanoseconds: bigint) {
    super('int64', narrow(BigInt.asIntN(64, nanoseconds)), 'time.Duration');
  }

  get nanoseconds(): bigint {
    return BigInt(this.value);
  }

  String(): string {
    return formatDuration(this.nanoseconds);
  }

  Hours(): unknown {
    return float64(Number(this.nanoseconds) / 3.6e12);
  }

  Minutes(): unknown {
    return float64(Number(this.nanoseconds) / 6e10);
  }

  Seconds(): unknown {
    return float64(Number(this.nanoseconds) / 1e9);
  }

  Milliseconds(): unknown {
    return int64(this.nanoseconds / 1_000_000n);
  }

  Microseconds(): unknown {
    return int64(this.nanoseconds / 1_000n);
  }

  Nanoseconds(): unknown {
    return int64(this.nanoseconds);
  }

  Abs(): Duration {
    return this.nanoseconds < 0n ? new Duration(-this.nanoseconds) : this;
  }

  Truncate(unit: unknown): Duration {
    const size = nanosecondsOf(unit);
    return size <= 0n ? this : new Duration(this.nanoseconds - (this.nanoseconds % size));
  }

  Round(unit: unknown): Duration {
    const size = nanosecondsOf(unit);
    return size <= 0n ? this : new Duration(roundTo(this.nanoseconds, size));
  }
}

/** Rounds a value to a multiple of `unit`. Ties are rounded away from zero. */
export function roundTo(value: bigint, unit: bigint): bigint {
  const negative = value < 0n;
  const size = negative ? -value : value;
  const rounded = size - (size % unit) + ((size % unit) * 2n >= unit ? unit : 0n);
  return negative ? -rounded : rounded;
}

/** Returns the value of a duration or integer in nanoseconds. */
export function nanosecondsOf(value: unknown): bigint {
  if (value instanceof TypedNumber) return BigInt(value.value);
  if (typeof value === 'bigint') return value;
  if (typeof value === 'number' && Number.isInteger(value)) return BigInt(value);
  throw new Error('expected a time.Duration');
}

/** Formats a duration as `1h2m3.5s`. A duration below one second uses the largest unit in which its integer part is not zero. */
export function formatDuration(nanoseconds: bigint): string {
  if (nanoseconds === 0n) return '0s';
  const sign = nanoseconds < 0n ? '-' : '';
  const size = nanoseconds < 0n ? -nanoseconds : nanoseconds;
  if (size < 1_000n) return `${sign}${size}ns`;
  if (size < 1_000_000n) return `${sign}${decimal(size, 3)}µs`;
  if (size < 1_000_000_000n) return `${sign}${decimal(size, 6)}ms`;
  const seconds = size / 1_000_000_000n;
  const rest = decimal(size % 60_000_000_000n, 9);
  const minutes = seconds / 60n;
  if (minutes === 0n) return `${sign}${rest}s`;
  const hours = minutes / 60n;
  return `${sign}${hours === 0n ? '' : `${hours}h`}${minutes % 60n}m${rest}s`;
}

function decimal(value: bigint, places: number): string {
  const digits = value.toString().padStart(places + 1, '0');
  const fraction = digits.slice(-places).replace(/0+$/, '');
  return digits.slice(0, -places) + (fraction === '' ? '' : `.${fraction}`);
}

const part = /(\d+(?:\.\d*)?|\.\d+)(ns|us|µs|μs|ms|s|m|h)/y;

/** Parses a duration such as `1h15m30.918s`: a sequence of decimal numbers with units. Throws if the text is invalid. */
export function parseDuration(text: string): Duration {
  const bad = (reason: string): Error => new Error(`time: ${reason} ${quote(text)}`);
  const unsigned = text.replace(/^[+-]/, '');
  if (unsigned === '0') return new Duration(0n);
  if (unsigned === '') throw bad('invalid duration');
  let total = 0n;
  part.lastIndex = 0;
  while (part.lastIndex < unsigned.length) {
    const rest = unsigned.slice(part.lastIndex);
    const match = part.exec(unsigned);
    if (match === null) {
      const number = /^(?:\d+(?:\.\d*)?|\.\d+)/.exec(rest);
      if (number === null) throw bad('invalid duration');
      const unit = /^[^\d.]*/.exec(rest.slice(number[0].length))?.[0] ?? '';
      throw unit === '' ? bad('missing unit in duration') : bad(`unknown unit ${quote(unit)} in duration`);
    }
    const [whole = '', fraction = ''] = (match[1] ?? '').split('.');
    const unit = unitSizes[match[2] ?? ''] ?? 1n;
    total += BigInt(whole === '' ? 0 : whole) * unit + (BigInt(`0${fraction}`) * unit) / 10n ** BigInt(fraction.length);
    if (total > 0x8000_0000_0000_0000n) throw bad('invalid duration');
  }
  const negative = text.startsWith('-');
  if (!negative && total > 0x7fff_ffff_ffff_ffffn) throw bad('invalid duration');
  return new Duration(negative ? -total : total);
}
