/** Validates `admin.policies`. */
import { messageOf } from '@sluice/base';
import type { Context } from '@sluice/registry';
import { parsePlan } from '@sluice/rollout';
import { placesOf, type PolicyOptions } from './policies.ts';

const noFiles = 'requires at least one path; paths must not be empty';

export function checkPolicyOptions(policies: readonly PolicyOptions[], context: Context): void {
  for (const [i, { paths, rollout, tests }] of policies.entries()) {
    const check = (key: string, parse: () => unknown): void => {
      try {
        parse();
      } catch (error) {
        throw context.error(messageOf(error), 'policies', i, key);
      }
    };
    check('paths', () => placesOf(paths ?? null));
    if (rollout !== null && rollout !== undefined) check('rollout', () => parsePlan(rollout));
    if (tests?.length === 0 || tests?.includes('') === true) throw context.error(noFiles, 'policies', i, 'tests');
  }
}
