/** Implements the template function `printf`. */
import { typeOf } from '../values/kind.ts';
import { integerOf } from '../values/number.ts';
import { badVerb, formatValue } from './printer.ts';
import { formatText } from './scalars.ts';
import { plainSpec, type Spec } from './spec.ts';

/** Maximum width and precision. As in Go, larger values produce an error in the output. */
const maxNumber = 1_000_000;

/** Formats values with a format string. Like Go, reports mismatches within the output, such as `%!d(string=hi)`. */
export function sprintf(format: string, args: readonly unknown[]): string {
  return new Formatter(format, args).run();
}

class Formatter {
  readonly #format: string;
  readonly #args: readonly unknown[];
  #at = 0;
  #next = 0;
  #reordered = false;
  /** True if the explicit argument index before the current verb was valid. */
  #goodIndex = true;
  #afterIndex = false;

  constructor(format: string, args: readonly unknown[]) {
    this.#format = format;
    this.#args = args;
  }

  run(): string {
    let output = '';
    while (this.#at < this.#format.length) {
      const percent = this.#format.indexOf('%', this.#at);
      if (percent === -1) {
        output += this.#format.slice(this.#at);
        break;
      }
      output += this.#format.slice(this.#at, percent);
      this.#at = percent + 1;
      output += this.#directive();
    }
    return output + this.#extra();
  }

  /** Formats the arguments that no verb consumed. */
  #extra(): string {
    if (this.#reordered || this.#next >= this.#args.length) return '';
    const left = this.#args.slice(this.#next);
    const shown = left.map((arg) => {
      if (arg === null || arg === undefined) return '<nil>';
      return `${typeOf(arg)}=${formatValue(arg, 'v', plainSpec())}`;
    });
    return `%!(EXTRA ${shown.join(', ')})`;
  }

  #directive(): string {
    const spec = plainSpec();
    let problems = '';
    this.#goodIndex = true;
    this.#afterIndex = false;
    this.#flags(spec);
    this.#argumentNumber();
    problems += this.#width(spec);
    problems += this.#precision(spec);
    if (!this.#afterIndex) this.#argumentNumber();
    if (this.#at >= this.#format.length) return `${problems}%!(NOVERB)`;
    const verb = String.fromCodePoint(this.#format.codePointAt(this.#at) ?? 0);
    this.#at += verb.length;
    return problems + this.#verb(verb, spec);
  }

  #verb(verb: string, spec: Spec): string {
    if (verb === '%') return '%';
    if (!this.#goodIndex) return `%!${verb}(BADINDEX)`;
    if (this.#next >= this.#args.length) return `%!${verb}(MISSING)`;
    const arg = this.#args[this.#next++];
    if (verb === 'T') return formatText(typeOf(arg), 's', spec) ?? '';
    if (verb === 'w') return badVerb(arg, verb, spec);
    if (verb === 'v') {
      if (spec.sharp) Object.assign(spec, { sharp: false, sharpV: true });
      if (spec.plus) Object.assign(spec, { plus: false, plusV: true });
    }
    return formatValue(arg, verb, spec);
  }

  #flags(spec: Spec): void {
    for (; this.#at < this.#format.length; this.#at++) {
      switch (this.#format[this.#at]) {
        case '#':
          spec.sharp = true;
          break;
        case '0':
          spec.zero = true;
          break;
        case '+':
          spec.plus = true;
          break;
        case '-':
          spec.minus = true;
          break;
        case ' ':
          spec.space = true;
          break;
        default:
          return;
      }
    }
  }

  #width(spec: Spec): string {
    if (this.#format[this.#at] === '*') {
      this.#at++;
      const width = this.#starred();
      this.#afterIndex = false;
      if (width === null) return '%!(BADWIDTH)';
      spec.width = Math.abs(width);
      if (width < 0) Object.assign(spec, { minus: true, zero: false });
      return '';
    }
    spec.width = this.#number();
    if (this.#afterIndex && spec.width !== null) this.#goodIndex = false;
    return '';
  }

  #precision(spec: Spec): string {
    if (this.#format[this.#at] !== '.' || this.#at + 1 > this.#format.length) return '';
    this.#at++;
    if (this.#afterIndex) this.#goodIndex = false;
    this.#argumentNumber();
    if (this.#format[this.#at] === '*') {
      this.#at++;
      const precision = this.#starred();
      this.#afterIndex = false;
      if (precision === null) return '%!(BADPREC)';
      spec.precision = precision < 0 ? null : precision;
      return precision < 0 ? '%!(BADPREC)' : '';
    }
    spec.precision = this.#number() ?? 0;
    return '';
  }

  /** Returns the integer argument for `*`, or null if the argument is out of range or not an integer. */
  #starred(): number | null {
    const arg = this.#next < this.#args.length ? this.#args[this.#next] : undefined;
    if (this.#next < this.#args.length) this.#next++;
    const value = integerOf(arg);
    return value === null || value > maxNumber || value < -maxNumber ? null : Number(value);
  }

  #number(): number | null {
    const start = this.#at;
    while (isDigit(this.#format[this.#at])) this.#at++;
    if (start === this.#at) return null;
    const value = Number(this.#format.slice(start, this.#at));
    if (value <= maxNumber) return value;
    this.#at = start;
    return null;
  }

  /** Parses an explicit argument index, such as `[3]`. */
  #argumentNumber(): void {
    if (this.#format[this.#at] !== '[') return;
    this.#reordered = true;
    const close = this.#format.indexOf(']', this.#at);
    if (close === -1) {
      this.#goodIndex = false;
      this.#at++;
      return;
    }
    const text = this.#format.slice(this.#at + 1, close);
    this.#at = close + 1;
    const index = /^\d+$/.test(text) ? Number(text) : 0;
    if (index < 1 || index > this.#args.length) {
      this.#goodIndex = false;
      return;
    }
    this.#afterIndex = true;
    this.#next = index - 1;
  }
}

function isDigit(text: string | undefined): boolean {
  return text !== undefined && text >= '0' && text <= '9';
}
