import type { PackageReference } from '@sluice/registry';
import { globalPlaceholders } from '@sluice/base/reference';
import { started, stopping, workerExited, workerReplaced } from './events.ts';

export const reference: PackageReference = {
  placeholders: [
    {
      title: 'Global placeholders',
      where:
        'Any option that supports placeholders. If an option is not evaluated per request, its placeholders are replaced when the configuration is loaded.',
      names: globalPlaceholders,
    },
  ],
  events: [started, stopping, workerExited, workerReplaced],
};
