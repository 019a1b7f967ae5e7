/** The session. The token is kept only in memory, or, with the user's consent, until the tab is closed. */
import { computed, signal } from '@preact/signals';
import type { Call } from './calls.ts';

/** A permission, as in `admin.tokens`. */
interface Permission {
  readonly methods?: readonly string[] | null;
  readonly paths?: readonly string[] | null;
  readonly ids?: readonly (string | number)[] | null;
}

/** Response of `GET /session`. */
export interface Who {
  readonly name: string | null;
  readonly permissions: readonly Permission[] | null;
  /** A configuration file that is loaded whenever it changes. */
  readonly watched_file?: string;
  /** True if the server is a fleet member. */
  readonly fleet?: boolean;
}

const kept = 'sluice-token';

/** The token. Empty if none exists. */
export const token = signal(sessionStorage.getItem(kept) ?? '');

/** The session; `null` until it has been read. */
export const who = signal<Who | null>(null);

/** Reason for requesting a token; `null` if no token is needed. */
export const signIn = signal<string | null>(null);

/** Uses a token. `keep`: store the token until the tab is closed. */
export function useToken(text: string, keep: boolean): void {
  token.value = text;
  if (keep) sessionStorage.setItem(kept, text);
  else sessionStorage.removeItem(kept);
}

/** True if the page uses a token. */
export const hasToken = computed(() => token.value !== '');

/** Returns the permission that a call lacks; `null` if the call seems to be allowed. The server decides. */
export function lacking({ method, path }: Pick<Call, 'method' | 'path'>): string | null {
  const permissions = who.value?.permissions ?? null;
  if (permissions === null || permissions.some((each) => allows(each, method, path))) return null;
  return `${who.value?.name ?? 'This token'} requires permission for ${method} ${path}`;
}

function allows({ methods, paths, ids }: Permission, method: string, path: string): boolean {
  if (methods && !methods.some((each) => each.toUpperCase() === method)) return false;
  if (!paths) return !ids || /^\/(?:config|id)\//.test(path);
  return paths.some((each) => path === each || path.startsWith(each.endsWith('/') ? each : `${each}/`));
}

/** The part of the configuration that the token can read, as a path below `/config`; empty for the whole configuration. */
export const readable = computed(() => {
  const permissions = who.value?.permissions ?? null;
  if (permissions === null) return '';
  const reading = permissions.filter(({ methods }) => !methods || methods.some((each) => each.toUpperCase() === 'GET'));
  if (reading.some(({ paths, ids }) => !paths && !ids)) return '';
  const paths = reading.flatMap(({ paths: all }) => all ?? []).filter((path) => /^\/config(?:\/|$)/.test(path));
  return (paths[0] ?? '').replace(/^\/config\/?/, '').replace(/\/$/, '');
});
