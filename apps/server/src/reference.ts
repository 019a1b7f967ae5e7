/** What the server itself says in the reference. */
import type { PackageReference } from '@sluice/registry';
import { globalPlaceholders } from '@sluice/base/reference';
import { started, stopping, workerExited, workerReplaced } from './events.ts';

/** Of the server. */
export const reference: PackageReference = {
  placeholders: [
    {
      title: 'Everywhere',
      where:
        'Any option with placeholders. Where there is no request, they are replaced when the configuration is loaded.',
      names: globalPlaceholders,
    },
  ],
  events: [started, stopping, workerExited, workerReplaced],
};
