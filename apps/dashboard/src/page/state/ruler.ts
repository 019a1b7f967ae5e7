/**
 * Detects other configuration sources that would overwrite changes from the dashboard. If there is such a source, the user can copy the
 * draft as a patch.
 */
import { computed } from '@preact/signals';
import { who } from '../api/session.ts';
import { own, valueAt } from '../base/json.ts';
import { inForce } from './configuration.ts';

/** Reason why changes from the dashboard would be overwritten, or `null`. */
export const ruler = computed<string | null>(() => {
  const file = who.value?.watched_file;
  if (file !== undefined)
    return `The server watches ${file}. The next change to that file will overwrite changes made here. Copy the patch and edit the file instead.`;
  const config = valueAt(inForce.value.value, ['admin', 'config']);
  if (own(config, 'load') !== undefined && own(config, 'load') !== null && Boolean(own(config, 'load_delay')))
    return 'The server periodically reloads its configuration from another source (admin.config.load). Each reload overwrites changes made here. Copy the patch and edit the source instead.';
  return null;
});
