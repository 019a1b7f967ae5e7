/** Marks in a configuration: each route, and each of its handlers, is preceded by a handler that notes that it was reached. */
import { formatWhere, isArray, isObject, type Json } from '@sluice/base';
import { httpHandlers } from '@sluice/http-app';
import { defineModule, options, string, type Register } from '@sluice/registry';

/** Where requests have been. */
export class Marks {
  #reached = new Set<string>();
  /** Adds the handler `mark`. */
  readonly register: Register;

  constructor() {
    const mark = defineModule(httpHandlers, {
      name: 'mark',
      help: 'Notes that it was reached.',
      config: options({ place: string('Where it stands in the configuration without marks.') }),
      provision: ({ place }) => ({
        handle: (exchange, next) => {
          this.#reached.add(place ?? '');
          return next(exchange);
        },
      }),
    });
    this.register = (registry) => void registry.add(mark);
  }

  /** Where a request has been, which is sent, and responded to, by a task. */
  async during(task: () => void | Promise<void>): Promise<ReadonlySet<string>> {
    const reached = (this.#reached = new Set<string>());
    await task();
    return reached;
  }
}

/** A configuration with marks, which bear the places of the one without. */
export function marked(document: Json): Json {
  return markedAt(document, []);
}

/** All places that have marks. */
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
