/** What a client that was let in may do: everything, or what permissions say. */
import { SluiceError, parseUrlPath, type ConfigPath } from '@sluice/base';
import type { Engine } from '@sluice/engine';
import { ConfigScope, startsWith } from './config-scope.ts';

/** A permission as the configuration writes it. What it leaves out is not a limit. */
export interface PermissionOptions {
  readonly methods?: readonly string[] | null | undefined;
  /** Paths of the API, and what is below them, such as `/config/apps/http`. */
  readonly paths?: readonly string[] | null | undefined;
  /** Objects of the configuration by their `@id`, and what is in them. */
  readonly ids?: readonly (string | number)[] | null | undefined;
}

/** A permission that was read. */
interface Permission {
  /** `null` for all. */
  readonly methods: ReadonlySet<string> | null;
  /** `null` for all; with `ids` and no paths there are none. */
  readonly paths: readonly ConfigPath[] | null;
  readonly ids: readonly string[];
}

/** Who asks, and what they may do. */
export class Authority {
  /** Name for logs and the history; `null` where clients are not asked for one. */
  readonly name: string | null;
  /** As the configuration has them; `null` for everything. */
  readonly permissions: readonly PermissionOptions[] | null;
  readonly #permissions: readonly Permission[] | null;

  /** Without permissions everything is allowed. Throws where a path can't be one of the API. */
  constructor(name: string | null, permissions: readonly PermissionOptions[] | null) {
    this.name = name;
    this.permissions = permissions;
    this.#permissions = permissions?.map(readPermission) ?? null;
  }

  /** Whether a path that is not of the configuration may be asked for. `path` has escapes and is canonical. */
  allowsPath(method: string, path: string): boolean {
    if (this.#permissions === null) return true;
    const segments = segmentsOf(path);
    return segments !== null && this.#of(method).some(({ paths }) => paths === null || contains(paths, segments));
  }

  /** What of the configuration a method may be used on; `null` for everything. */
  scopeOf(method: string, engine: Engine): ConfigScope | null {
    if (this.#permissions === null) return null;
    const paths: ConfigPath[] = [];
    const ids: string[] = [];
    for (const permission of this.#of(method)) {
      if (permission.paths === null || contains(permission.paths, [])) return null;
      for (const [top, ...inside] of permission.paths) if (top === 'config') paths.push(inside);
      ids.push(...permission.ids);
    }
    return new ConfigScope(paths, ids, engine);
  }

  #of(method: string): readonly Permission[] {
    return this.#permissions?.filter(({ methods }) => methods === null || methods.has(method)) ?? [];
  }
}

/** Clients are not asked who they are. */
export const anyone = new Authority(null, null);

function readPermission({ methods, paths, ids }: PermissionOptions): Permission {
  const read = paths?.map(readPath) ?? (ids === null || ids === undefined ? null : []);
  return {
    methods: methods === null || methods === undefined ? null : new Set(methods.map((method) => method.toUpperCase())),
    paths: read?.filter(([top]) => top !== 'id') ?? null,
    ids: [...(ids?.map(String) ?? []), ...(read ?? []).flatMap(([top, id]) => (top === 'id' ? [id as string] : []))],
  };
}

/** A path of a permission is exact: what would have to be cleaned first is a mistake, and no way to reach more. */
function readPath(path: string): ConfigPath {
  const segments = segmentsOf(path);
  if (!path.startsWith('/') || segments === null || /\/\/|\/\.{1,2}(?:\/|$)|[?#]/.test(path))
    throw new SluiceError(
      'ERR_VALUE',
      `${JSON.stringify(path)} is not a path of the API: expected one such as "/config/apps/http"`,
    );
  if (segments[0] === 'id' && segments.length !== 2)
    throw new SluiceError(
      'ERR_VALUE',
      `${JSON.stringify(path)}: of objects with an @id, "/id/<id>" allows the whole, and nothing else can be`,
    );
  return segments;
}

/** Split first and decoded then, as routes do; `null` for what none could read. */
function segmentsOf(path: string): ConfigPath | null {
  try {
    return parseUrlPath(path);
  } catch {
    return null;
  }
}

function contains(paths: readonly ConfigPath[], segments: ConfigPath): boolean {
  return paths.some((path) => startsWith(segments, path));
}
