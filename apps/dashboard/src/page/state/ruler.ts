/** What puts another configuration in force than the one that was applied here: then an edit is a patch for that. */
import { computed } from '@preact/signals';
import { who } from '../api/session.ts';
import { own, valueAt } from '../base/json.ts';
import { inForce } from './configuration.ts';

/** Why an edit that is applied here would not last; `null` where it does. */
export const ruler = computed<string | null>(() => {
  const file = who.value?.watched_file;
  if (file !== undefined)
    return `${file} is watched: its next change replaces all that is applied here. Copy the patch, and change the file.`;
  const config = valueAt(inForce.value.value, ['admin', 'config']);
  if (own(config, 'load') !== undefined && own(config, 'load') !== null && Boolean(own(config, 'load_delay')))
    return 'The configuration is loaded from elsewhere again and again, which replaces all that is applied here. Copy the patch, and change it there.';
  return null;
});
