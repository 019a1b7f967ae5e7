/** Resolves the names that test cases use for routes: path, `@id`, name, or source line. */
import { formatWhere, idKey, isObject, own, type ConfigPath, type Json } from '@sluice/base';
import type { PartPlace } from '@sluice/http-app';
import { basename } from 'node:path';
import type { TestedDocument } from './tested-server.ts';

/** Names of the routes in one configuration. */
export class RouteNames {
  readonly #document: Json;
  readonly #sources: TestedDocument['sources'];

  constructor({ document, sources }: TestedDocument) {
    this.#document = document;
    this.#sources = sources;
  }

  /** Reports whether a name refers to the route that ended a request. `by` is the handler that ended it. */
  isMeant(name: string, by: PartPlace): boolean {
    const { path } = by.route;
    return name === formatWhere(path) || this.#isNamed(name, path) || this.#isAt(name, by);
  }

  /** Formats a handler with its location for reports. */
  text(by: PartPlace): string {
    const { path } = by.route;
    const names = [this.#idOf(path), this.#lineOf(partPath(by))].filter((name) => name !== null);
    return `${formatWhere(path)}${names.length === 0 ? '' : ` (${names.join(', ')})`}, by ${by.id}`;
  }

  #isNamed(name: string, path: ConfigPath): boolean {
    if (this.#idOf(path) === name) return true;
    return path.at(-2) === 'named_routes' && path.at(-1) === name;
  }

  #idOf(path: ConfigPath): string | null {
    let node: Json | undefined = this.#document;
    for (const key of path)
      node = Array.isArray(node) ? node[Number(key)] : isObject(node) ? own(node, key) : undefined;
    const id = isObject(node) ? own(node, idKey) : undefined;
    return id === undefined ? null : String(id);
  }

  /** Reports whether a name such as `Caddyfile:12` refers to the source line of the route or of its handler. */
  #isAt(name: string, by: PartPlace): boolean {
    const { file, line } = /^(?<file>.+):(?<line>\d+)$/.exec(name)?.groups ?? {};
    if (file === undefined || this.#sources === null) return false;
    return [by.route.path, partPath(by)].some((path) => {
      const place = this.#sources?.placeOf(path, this.#document) ?? null;
      return place !== null && place.line === Number(line) && (place.file === file || basename(place.file) === file);
    });
  }

  #lineOf(path: ConfigPath): string | null {
    const place = this.#sources?.placeOf(path, this.#document) ?? null;
    return place === null ? null : `${place.file}:${place.line}`;
  }
}

function partPath({ path }: PartPlace): ConfigPath {
  return path.map(String);
}
