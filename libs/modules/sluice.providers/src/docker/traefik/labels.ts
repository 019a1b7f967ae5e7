/** Traefik labels, grouped by router, service and middleware. */
import { SluiceError } from '@sluice/base';

/** A label value, with the original name of the label. */
interface Entry {
  readonly label: string;
  readonly value: string;
}

/** Options of a Traefik router, service or middleware. Records the labels that were read, so that unsupported labels can be reported. */
export class LabelOptions {
  readonly #entries: Map<string, Entry>;
  readonly #read = new Set<string>();

  constructor(entries: ReadonlyMap<string, Entry> = new Map<string, Entry>()) {
    this.#entries = new Map(entries);
  }

  set(name: string, entry: Entry): void {
    this.#entries.set(name, entry);
  }

  has(name: string): boolean {
    return this.#entries.has(name);
  }

  /** Reports whether the name of any option begins with `prefix`. */
  hasPrefix(prefix: string): boolean {
    return [...this.#entries.keys()].some((name) => name.startsWith(prefix));
  }

  /** Returns the first segments of the option names. For a middleware, these segments are its types. */
  types(): readonly string[] {
    return [...new Set([...this.#entries.keys()].map((name) => name.split('.', 1)[0] ?? ''))];
  }

  text(name: string): string | undefined {
    this.#read.add(name);
    return this.#entries.get(name)?.value;
  }

  list(name: string): readonly string[] {
    return (this.text(name) ?? '')
      .split(',')
      .map((each) => each.trim())
      .filter((each) => each !== '');
  }

  boolean(name: string): boolean | undefined {
    const value = this.text(name)?.toLowerCase();
    if (value === undefined) return undefined;
    if (!/^(?:true|false|1|0|t|f)$/.test(value)) throw this.error(name, `must be true or false: ${value}`);
    return /^[1t]/.test(value);
  }

  integer(name: string): number | undefined {
    const value = this.text(name);
    if (value === undefined) return undefined;
    const number = Number(value);
    if (value.trim() === '' || !Number.isSafeInteger(number)) throw this.error(name, `must be an integer: ${value}`);
    return number;
  }

  /** Parses a Go duration such as `10s`. As in Traefik, a plain number is in seconds. */
  duration(name: string): string | undefined {
    const value = this.text(name);
    if (value === undefined) return undefined;
    if (/^\d+$/.test(value)) return `${value}s`;
    if (!/^(?:\d+(?:\.\d+)?(?:ns|us|µs|ms|s|m|h))+$/.test(value))
      throw this.error(name, `must be a duration such as 10s, not ${value}`);
    return value;
  }

  /** Returns the options whose names begin with `prefix`, keyed by the rest of the name. Preserves the case of names. */
  map(prefix: string): Record<string, string> {
    const found: Record<string, string> = {};
    for (const [name, { label, value }] of this.#entries)
      if (name.startsWith(prefix)) {
        this.#read.add(name);
        found[label.slice(label.length - (name.length - prefix.length))] = value;
      }
    return found;
  }

  /** Returns the labels that no code has read, and that are therefore unsupported. */
  unread(): readonly string[] {
    return [...this.#entries].filter(([name]) => !this.#read.has(name)).map(([, { label }]) => label);
  }

  /**
   * Returns the label of an option whose value in `other` is different or missing. Returns `undefined` if there is none. Ignores server
   * addresses.
   */
  conflictWith(other: LabelOptions): string | undefined {
    for (const [name, { value, label }] of this.#entries)
      if (!name.startsWith('loadbalancer.server.') && other.#entries.get(name)?.value !== value) return label;
    return undefined;
  }

  error(name: string, message: string): SluiceError {
    const entry = this.#entries.get(name) ?? [...this.#entries].find(([each]) => each.startsWith(`${name}.`))?.[1];
    return new SluiceError('ERR_LABEL', `label ${entry?.label ?? name}: ${message}`);
  }
}

export function required(options: LabelOptions, name: string): string {
  const value = options.text(name);
  if (value === undefined || value === '') throw options.error(name, 'a value is required');
  return value;
}

export function list(options: LabelOptions, name: string): readonly string[] {
  required(options, name);
  return options.list(name);
}

type Group = 'routers' | 'services' | 'middlewares';

export interface TraefikLabels {
  readonly isEnabled: boolean | undefined;
  readonly network: string | undefined;
  readonly routers: ReadonlyMap<string, LabelOptions>;
  readonly services: ReadonlyMap<string, LabelOptions>;
  readonly middlewares: ReadonlyMap<string, LabelOptions>;
  /** Unsupported labels. */
  readonly unknown: readonly string[];
}

export function hasTraefikLabels(labels: Readonly<Record<string, string>>): boolean {
  return Object.keys(labels).some((label) => /^traefik\./i.test(label));
}

/** Groups Traefik labels. Label names are case-insensitive. */
export function groupLabels(labels: Readonly<Record<string, string>>): TraefikLabels {
  const groups: Record<Group, Map<string, LabelOptions>> = {
    routers: new Map(),
    services: new Map(),
    middlewares: new Map(),
  };
  const general = new LabelOptions();
  const unknown: string[] = [];
  for (const [label, value] of Object.entries(labels)) {
    if (!/^traefik\./i.test(label)) continue;
    const lower = label.toLowerCase();
    const [, group, name = '', option = ''] =
      /^traefik\.http\.(routers|services|middlewares)\.([^.]+)\.(.+)$/.exec(lower) ?? [];
    if (group !== undefined) {
      const known = groups[group as Group];
      const options = known.get(name) ?? new LabelOptions();
      known.set(name, options);
      options.set(option, { label, value });
    } else if (['traefik.enable', 'traefik.docker.network'].includes(lower)) general.set(lower, { label, value });
    else unknown.push(label);
  }
  return {
    isEnabled: general.boolean('traefik.enable'),
    network: general.text('traefik.docker.network'),
    ...groups,
    unknown,
  };
}
