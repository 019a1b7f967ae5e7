/** Dashboard session. The token is kept only in memory, unless the user agrees to store it until the tab is closed. */
import { computed, signal } from '@preact/signals';
import type { Call } from './calls.ts';

/** Permission of a token, as in `admin.tokens`. */
interface Permission {
  readonly methods?: readonly string[] | null;
  readonly paths?: readonly string[] | null;
  readonly ids?: readonly (string | number)[] | null;
}

/** Response of `GET /session`. It describes the token's permissions and the server. */
export interface Who {
  readonly name: string | null;
  readonly permissions: readonly Permission[] | null;
  /** Path of the configuration file that the server reloads on changes. */
  readonly watched_file?: string;
  /** True if the server is a fleet member. */
  readonly fleet?: boolean;
}

const kept = 'sluice-token';

/** Admin API token. Empty if there is none. */
export const token = signal(sessionStorage.getItem(kept) ?? '');

/** Current session, or `null` until it has been read. */
export const who = signal<Who | null>(null);

/** Reason for requesting a token from the user, or `null` if no token is needed. */
export const signIn = signal<string | null>(null);

/** Sets the token. If `keep` is true, the token is stored until the tab is closed. */
export function useToken(text: string, keep: boolean): void {
  token.value = text;
  if (keep) sessionStorage.setItem(kept, text);
  else sessionStorage.removeItem(kept);
}

/** True if the dashboard has a token. */
export const hasToken = computed(() => token.value !== '');

/** Returns the permission that the token lacks for a call, or `null` if the call seems to be permitted. The server makes the final decision. */
export function lacking({ method, path }: Pick<Call, 'method' | 'path'>): string | null {
  const permissions = who.value?.permissions ?? null;
  if (permissions === null || permissions.some((each) => allows(each, method, path))) return null;
  return `${who.value?.name ?? 'This token'} does not have permission for ${method} ${path}`;
}

function allows({ methods, paths, ids }: Permission, method: string, path: string): boolean {
  if (methods && !methods.some((each) => each.toUpperCase() === method)) return false;
  if (!paths) return !ids || /^\/(?:config|id)\//.test(path);
  return paths.some((each) => path === each || path.startsWith(each.endsWith('/') ? each : `${each}/`));
}

/** The part of the configuration that the token can read, as a path below `/config`. Empty for the whole configuration. */
export const readable = computed(() => {
  const permissions = who.value?.permissions ?? null;
  if (permissions === null) return '';
  const reading = permissions.filter(({ methods }) => !methods || methods.some((each) => each.toUpperCase() === 'GET'));
  if (reading.some(({ paths, ids }) => !paths && !ids)) return '';
  const paths = reading.flatMap(({ paths: all }) => all ?? []).filter((path) => /^\/config(?:\/|$)/.test(path));
  return (paths[0] ?? '').replace(/^\/config\/?/, '').replace(/\/$/, '');
});
