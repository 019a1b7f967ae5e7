/** Rights of an authenticated client: everything, or a list of permissions. */
import { SluiceError, parseUrlPath, type ConfigPath } from '@sluice/base';
import type { Reconciler } from '@sluice/reconciler';
import { ConfigScope, startsWith, type ScopePart } from './config-scope.ts';
import { RefusedPlaceholders } from './refused-placeholders.ts';

/** A permission from the configuration. Absent keys impose no limit. */
export interface PermissionOptions {
  readonly methods?: readonly string[] | null | undefined;
  /** API paths, including their descendants, for example `/config/apps/http`. */
  readonly paths?: readonly string[] | null | undefined;
  /** Configuration objects by `@id`, including their contents. */
  readonly ids?: readonly (string | number)[] | null | undefined;
  /** Kinds of placeholders that values must not contain, for example `file` for `{file.*}`. `*` means all kinds. */
  readonly refuse_placeholders?: readonly string[] | null | undefined;
}

/** Routes that evaluate a client's configuration. A permission must name such a route exactly, not only a parent path. */
const namedAlone: ReadonlySet<string> = new Set(['/explain/plan', '/explain/shadow', '/explain/tests']);

interface Permission {
  /** Allowed methods; `null` allows all methods. */
  readonly methods: ReadonlySet<string> | null;
  /** Allowed paths; `null` allows all paths. If only `ids` is set, the list is empty. */
  readonly paths: readonly ConfigPath[] | null;
  readonly ids: readonly string[];
  readonly refused: RefusedPlaceholders;
}

/** A client and its rights. */
export class Authority {
  /** Name for logs and the history; `null` without authentication. */
  readonly name: string | null;
  /** Permissions as configured; `null` allows everything. */
  readonly permissions: readonly PermissionOptions[] | null;
  readonly #permissions: readonly Permission[] | null;

  /** Without permissions, everything is allowed. Throws if a path is not a valid API path. */
  constructor(name: string | null, permissions: readonly PermissionOptions[] | null) {
    this.name = name;
    this.permissions = permissions;
    this.#permissions = permissions?.map(readPermission) ?? null;
  }

  /** Reports whether nothing is denied. Such a client can read and change everything on the machine that the server can. */
  get isUnrestricted(): boolean {
    return (
      this.#permissions?.some(
        ({ methods, paths, refused }) => methods === null && isEverything(paths) && refused.kinds === null,
      ) ?? true
    );
  }

  /** Reports whether access to a path outside the configuration is allowed. `path` is canonical and escaped. */
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

  /** Returns the part of the configuration that a method may access; `null` for all of it. */
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

/** Clients without authentication. */
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

/**
 * Parses a path of a permission. Permission paths are exact: a path that needs cleaning is an error, because it must
 * not extend the rights.
 */
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
      `${JSON.stringify(path)}: paths below /id/ must be "/id/<id>", which permits the whole object`,
    );
  return segments;
}

/** Splits the path before decoding, as routes do. Returns `null` if the path is malformed. */
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
