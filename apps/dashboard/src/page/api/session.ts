/** Who uses the page. The token is in memory alone, unless its owner wants it kept as long as the tab is open. */
import { computed, signal } from '@preact/signals';
import type { Call } from './calls.ts';

/** A permission as `admin.tokens` has it. */
interface Permission {
  readonly methods?: readonly string[] | null;
  readonly paths?: readonly string[] | null;
  readonly ids?: readonly (string | number)[] | null;
}

/** What `GET /session` says. */
export interface Who {
  readonly name: string | null;
  readonly permissions: readonly Permission[] | null;
  /** The file that is put in force whenever it changes. */
  readonly watched_file?: string;
  /** Whether the server is in a fleet. */
  readonly fleet?: boolean;
}

const kept = 'sluice-token';

/** The token; empty without one. */
export const token = signal(sessionStorage.getItem(kept) ?? '');

/** Who that is; `null` until the server said it. */
export const who = signal<Who | null>(null);

/** Why a token is asked for; `null` while none is. */
export const signIn = signal<string | null>(null);

/** Takes a token, and keeps it for the tab if that is wanted. */
export function useToken(text: string, keep: boolean): void {
  token.value = text;
  if (keep) sessionStorage.setItem(kept, text);
  else sessionStorage.removeItem(kept);
}

/** Whether tokens are needed, as far as is known. */
export const hasToken = computed(() => token.value !== '');

/** Why a call may not be made; `null` where it may, as far as the page can tell. The server has the last word. */
export function lacking({ method, path }: Call): string | null {
  const permissions = who.value?.permissions ?? null;
  if (permissions === null || permissions.some((each) => allows(each, method, path))) return null;
  return `${who.value?.name ?? 'this token'} may not ${method} ${path}`;
}

function allows({ methods, paths, ids }: Permission, method: string, path: string): boolean {
  if (methods && !methods.some((each) => each.toUpperCase() === method)) return false;
  if (!paths) return !ids || /^\/(?:config|id)\//.test(path);
  return paths.some((each) => path === each || path.startsWith(each.endsWith('/') ? each : `${each}/`));
}

/** The part of the configuration that may be read, as its address below `/config`; empty for all of it. */
export const readable = computed(() => {
  const permissions = who.value?.permissions ?? null;
  if (permissions === null) return '';
  const reading = permissions.filter(({ methods }) => !methods || methods.some((each) => each.toUpperCase() === 'GET'));
  if (reading.some(({ paths, ids }) => !paths && !ids)) return '';
  const paths = reading.flatMap(({ paths: all }) => all ?? []).filter((path) => /^\/config(?:\/|$)/.test(path));
  return (paths[0] ?? '').replace(/^\/config\/?/, '').replace(/\/$/, '');
});
