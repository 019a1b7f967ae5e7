/** Rights of an authenticated client: either unrestricted or a list of permissions. */
import { SluiceError, parseUrlPath, type ConfigPath } from '@sluice/base';
import type { Reconciler } from '@sluice/reconciler';
import { ConfigScope, startsWith, type ScopePart } from './config-scope.ts';
import { RefusedPlaceholders } from './refused-placeholders.ts';

/** A permission from the configuration. A missing key imposes no restriction. */
export interface PermissionOptions {
  readonly methods?: readonly string[] | null | undefined;
  /** Permitted API paths, including all paths below them. Example: `/config/apps/http`. */
  readonly paths?: readonly string[] | null | undefined;
  /** Permitted configuration objects, by `@id`. The permission includes the contents of these objects. */
  readonly ids?: readonly (string | number)[] | null | undefined;
  /** Kinds of placeholders that are forbidden in values from the client. Example: `file` forbids `{file.*}`. `*` forbids all placeholders. */
  readonly refuse_placeholders?: readonly string[] | null | undefined;
}

/** Routes that evaluate a configuration sent by the client. A permission must list such a route exactly; a parent path is not enough. */
const namedAlone: ReadonlySet<string> = new Set(['/explain/plan', '/explain/shadow', '/explain/tests']);

interface Permission {
  /** Permitted HTTP methods. `null` permits all methods. */
  readonly methods: ReadonlySet<string> | null;
  /** Permitted paths. `null` permits all paths. The list is empty if the permission sets only `ids`. */
  readonly paths: readonly ConfigPath[] | null;
  readonly ids: readonly string[];
  readonly refused: RefusedPlaceholders;
}

/** An authenticated client and its rights. */
export class Authority {
  /** Client name for logs and the change history. `null` if the endpoint doesn't require authentication. */
  readonly name: string | null;
  /** Configured permissions. `null` permits everything. */
  readonly permissions: readonly PermissionOptions[] | null;
  readonly #permissions: readonly Permission[] | null;

  /** `permissions` set to `null` permits everything. Throws if a path is not a valid API path. */
  constructor(name: string | null, permissions: readonly PermissionOptions[] | null) {
    this.name = name;
    this.permissions = permissions;
    this.#permissions = permissions?.map(readPermission) ?? null;
  }

  /** Reports whether the client has no restrictions. An unrestricted client has the same access to this machine as the server process. */
  get isUnrestricted(): boolean {
    return (
      this.#permissions?.some(
        ({ methods, paths, refused }) => methods === null && isEverything(paths) && refused.kinds === null,
      ) ?? true
    );
  }

  /** Reports whether the client may access a path outside `/config/` and `/id/`. `path` must be canonical and percent-encoded. */
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

  /** Returns the part of the configuration that the client may access with a method. Returns `null` for the entire configuration. */
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

/** Parses the path of a permission. A path that is not canonical is an error, because normalizing it could extend the client's rights. */
function readPath(path: string): ConfigPath {
  const segments = segmentsOf(path);
  if (!path.startsWith('/') || segments === null || /\/\/|\/\.{1,2}(?:\/|$)|[?#]/.test(path))
    throw new SluiceError(
      'ERR_VALUE',
      `${JSON.stringify(path)} is not a path of the API; use a path such as "/config/apps/http"`,
    );
  if (segments[0] === 'id' && segments.length !== 2)
    throw new SluiceError(
      'ERR_VALUE',
      `${JSON.stringify(path)}: a path below /id/ must have the form "/id/<id>", which permits access to the whole object`,
    );
  return segments;
}

/** Splits a path into segments before decoding them, as the router does. Returns `null` if the path is malformed. */
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
