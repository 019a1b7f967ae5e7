/** Fleet options of this server (`admin.fleet`). Only fleet members load `@sluice/fleet`, which implements them. */
import {
  inlineModule,
  json,
  list,
  namespace,
  options,
  string,
  strings,
  type Context,
  type Options,
} from '@sluice/registry';
import { isObject, own, type Json } from '@sluice/base';
import { forbiddenPlace, defaultOverlayPaths } from './overlay-paths.ts';

/** Module namespace of fleet stores. `@sluice/fleet` registers the stores; this package doesn't load `@sluice/fleet`. */
const stores = namespace<object>('sluice.fleet.stores');

const overlay = options({
  members: strings('Names of members that the overlay applies to.', { examples: [['web-1']] }),
  labels: strings('Labels of members that the overlay applies to.', { examples: [['eu']] }),
  merge: json(
    'JSON Merge Patch (RFC 7396) that is applied to the fleet document on these members. The patch cannot change `admin.fleet`.',
    {
      examples: [{ apps: { http: { servers: { demo: { listen: [':8081'] } } } } }],
    },
  ),
});

export const fleetOptions = options({
  cluster: string('Name of the fleet in its store.', { default: 'sluice', examples: ['production'] }),
  store: inlineModule(
    'Store for the fleet document, which is the configuration that all members share.',
    stores,
    'engine',
  ),
  member: string(
    'Name of this machine in the fleet. All members share the fleet document, so use placeholders. Default: the host name.',
    { examples: ['{env.HOSTNAME}'] },
  ),
  labels: strings('Labels of this machine. May contain placeholders.', { examples: [['{env.REGION}']] }),
  overlays: list('Overlays, which change the configuration for some members.', overlay),
  overlay_paths: strings(
    `Additional paths that overlays may change, as JSON Pointers in which \`*\` matches any key. Always allowed: ${defaultOverlayPaths.join(', ')}. Never allowed: \`admin.fleet\`.`,
    { examples: [['/apps/tls/automation']] },
  ),
});

/** Validates the fleet options. In the control thread, also validates the store options. */
export async function checkFleet(config: Options<typeof fleetOptions>, context: Context): Promise<void> {
  const { cluster, member } = config;
  const permitted = [...defaultOverlayPaths, ...(config.overlay_paths ?? [])];
  for (const [key, name] of Object.entries({ cluster, member }))
    if ((name ?? '') !== '' && /[\s/]/.test(name as string))
      throw context.error('must be a name without spaces or slashes', 'fleet', key);
  for (const [index, { members, labels, merge }] of (config.overlays ?? []).entries()) {
    if ((members ?? []).length + (labels ?? []).length === 0)
      throw context.error('applies to no member: set members or labels', 'fleet', 'overlays', index);
    if (reaches(merge, ['admin', 'fleet']))
      throw context.error('cannot change admin.fleet, which all members share', 'fleet', 'overlays', index, 'merge');
    const place = forbiddenPlace(merge ?? {}, permitted);
    if (place !== null) {
      const message = `changes ${place === '' ? 'the whole document' : place}, which must be the same for all members; overlays may change ${permitted.join(', ')}; to allow this path, add it to admin.fleet.overlay_paths`;
      throw context.error(message, 'fleet', 'overlays', index, 'merge');
    }
  }
  if (config.store === undefined || (context.roles.traffic && !context.roles.control)) return;
  await context.loadInline(stores, config.store, 'engine', 'fleet', 'store');
}

function reaches(merge: Json | undefined, [key, ...rest]: readonly string[]): boolean {
  if (key === undefined) return merge !== undefined;
  return merge !== undefined && isObject(merge) && reaches(own(merge, key), rest);
}
