/** Instruments a configuration. A `mark` handler before each route and handler records that a request reached it. */
import { formatWhere, isArray, isObject, type Json } from '@sluice/base';
import { httpHandlers } from '@sluice/http-app';
import { defineModule, options, string, type Register } from '@sluice/registry';

/** Records the configuration paths that requests reach. */
export class Marks {
  #reached = new Set<string>();
  /** Registers the module of the `mark` handler. */
  readonly register: Register;

  constructor() {
    const mark = defineModule(httpHandlers, {
      name: 'mark',
      help: 'Records that it was reached.',
      config: options({ place: string('Location in the configuration without marks.') }),
      provision: ({ place }) => ({
        handle: (exchange, next) => {
          this.#reached.add(place ?? '');
          return next(exchange);
        },
      }),
    });
    this.register = (registry) => void registry.add(mark);
  }

  /** Returns the configuration paths that were reached while a task sent a request and received its response. */
  async during(task: () => void | Promise<void>): Promise<ReadonlySet<string>> {
    const reached = (this.#reached = new Set<string>());
    await task();
    return reached;
  }
}

/** Returns the configuration with `mark` handlers inserted. They contain the configuration paths of the original. */
export function marked(document: Json): Json {
  return markedAt(document, []);
}

/** Returns the configuration paths of all `mark` handlers. */
export function placesIn(document: Json): readonly string[] {
  const places: string[] = [];
  visit(marked(document), places);
  return places;
}

function visit(node: Json, places: string[]): void {
  if (isArray(node)) for (const item of node) visit(item, places);
  else if (isObject(node)) {
    if (node['handler'] === 'mark') places.push(String(node['place']));
    for (const value of Object.values(node)) visit(value, places);
  }
}

function markedAt(node: Json, path: readonly string[]): Json {
  if (isArray(node)) return node.map((item, index) => markedAt(item, [...path, String(index)]));
  if (!isObject(node)) return node;
  const entries = Object.entries(node).map(([key, value]): [string, Json] => {
    if (key !== 'handle' || !isArray(value)) return [key, markedAt(value, [...path, key])];
    const handlers = value.flatMap((handler, index): Json[] => {
      const place = [...path, key, String(index)];
      return [{ handler: 'mark', place: formatWhere(place) }, markedAt(handler, place)];
    });
    return [key, [{ handler: 'mark', place: formatWhere(path) }, ...handlers]];
  });
  return Object.fromEntries(entries);
}
