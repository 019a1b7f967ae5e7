/** What a client that was let in may do: everything, or what permissions say. */
import { SluiceError, parseUrlPath, type ConfigPath } from '@sluice/base';
import type { Reconciler } from '@sluice/reconciler';
import { ConfigScope, startsWith, type ScopePart } from './config-scope.ts';
import { RefusedPlaceholders } from './refused-placeholders.ts';

/** A permission as the configuration writes it. What it leaves out is not a limit. */
export interface PermissionOptions {
  readonly methods?: readonly string[] | null | undefined;
  /** Paths of the API, and what is below them, such as `/config/apps/http`. */
  readonly paths?: readonly string[] | null | undefined;
  /** Objects of the configuration by their `@id`, and what is in them. */
  readonly ids?: readonly (string | number)[] | null | undefined;
  /** Kinds of placeholders that values must not have, such as `file` for `{file.*}`; `*` for all. */
  readonly refuse_placeholders?: readonly string[] | null | undefined;
}

/** Routes that evaluate a configuration of the client: a permission has to name them, and not only a path above. */
const namedAlone: ReadonlySet<string> = new Set(['/explain/plan']);

interface Permission {
  /** `null` for all. */
  readonly methods: ReadonlySet<string> | null;
  /** `null` for all; with `ids` and no paths there are none. */
  readonly paths: readonly ConfigPath[] | null;
  readonly ids: readonly string[];
  readonly refused: RefusedPlaceholders;
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

  /** Reports whether nothing is denied: such a client can read and change all of the machine that the server can. */
  get isUnrestricted(): boolean {
    return (
      this.#permissions?.some(
        ({ methods, paths, refused }) => methods === null && isEverything(paths) && refused.kinds === null,
      ) ?? true
    );
  }

  /** Reports whether a path that is not of the configuration may be asked for. `path` has escapes and is canonical. */
  allowsPath(method: string, path: string): boolean {
    if (this.#permissions === null) return true;
    const segments = segmentsOf(path);
    if (segments === null) return false;
    const isNamedAlone = namedAlone.has(path);
    return this.#of(method).some(
      ({ paths }) =>
        isEverything(paths) ||
        (isNamedAlone ? paths.some((each) => isSame(each, segments)) : contains(paths, segments)),
    );
  }

  /** Returns the part of the configuration that a method may be used on; `null` for everything. */
  scopeOf(method: string, reconciler: Reconciler): ConfigScope | null {
    if (this.#permissions === null) return null;
    const parts: ScopePart[] = [];
    for (const { paths, ids, refused } of this.#of(method)) {
      if (isEverything(paths) && refused.kinds === null) return null;
      const inside = isEverything(paths) ? [[]] : paths.flatMap(([top, ...rest]) => (top === 'config' ? [rest] : []));
      parts.push({ paths: inside, ids, refused });
    }
    return new ConfigScope(parts, reconciler);
  }

  #of(method: string): readonly Permission[] {
    return this.#permissions?.filter(({ methods }) => methods === null || methods.has(method)) ?? [];
  }
}

/** Clients are not asked who they are. */
export const anyone = new Authority(null, null);

function readPermission({ methods, paths, ids, refuse_placeholders: kinds }: PermissionOptions): Permission {
  const read = paths?.map(readPath) ?? (ids === null || ids === undefined ? null : []);
  return {
    methods: methods === null || methods === undefined ? null : new Set(methods.map((method) => method.toUpperCase())),
    paths: read?.filter(([top]) => top !== 'id') ?? null,
    ids: [...(ids?.map(String) ?? []), ...(read ?? []).flatMap(([top, id]) => (top === 'id' ? [id as string] : []))],
    refused: new RefusedPlaceholders(kinds ?? []),
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

function isEverything(paths: readonly ConfigPath[] | null): paths is null {
  return paths === null || contains(paths, []);
}

function isSame(path: ConfigPath, segments: ConfigPath): boolean {
  return path.length === segments.length && startsWith(segments, path);
}

function contains(paths: readonly ConfigPath[], segments: ConfigPath): boolean {
  return paths.some((path) => startsWith(segments, path));
}
