/** Finds the fragment that caused an error in the merged configuration. */
import { formatWhere, isSluiceError, messageOf, parseWhere } from '@sluice/base';
import type { Merged, Placed } from './merge.ts';

export interface Culprit {
  readonly placed: Placed;
  /** True if the error is in one of the fragment's routes. */
  readonly isInRoute: boolean;
  readonly message: string;
}

/** Returns the fragment whose route or server caused an error. */
export function culpritOf({ routes, servers }: Merged, error: unknown): Culprit | null {
  const where = isSluiceError(error) ? error.where : null;
  const path = where === null ? null : parseWhere(where);
  if (where === null || path === null || path.slice(0, 3).join('.') !== 'apps.http.servers') return null;
  const [server, part, index, ...rest] = path.slice(3);
  const message = messageOf(error);
  const owners = routes.get(String(server));
  const owner = part === 'routes' ? owners?.at(Number(index)) : undefined;
  if (owners !== undefined && owner !== undefined && owner !== null) {
    let first = Number(index);
    while (owners.at(first - 1) === owner) first--;
    // Report the position within the fragment, because the position among all routes depends on other fragments.
    const own = formatWhere(['routes', Number(index) - first, ...rest]);
    return {
      placed: owner,
      isInRoute: true,
      message: message.startsWith(where) ? own + message.slice(where.length) : message,
    };
  }
  const placed = servers.get(String(server));
  return placed === undefined ? null : { placed, isInRoute: false, message };
}
