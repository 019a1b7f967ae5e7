/** Describes how the handler processes requests. With this description, lint checks can report unreachable routes. */
import type { FlowOf } from '@sluice/module/lint';

/** Flow descriptions, keyed by handler name. */
export const handlers: Readonly<Record<string, FlowOf>> = {
  hello: () => ({ passes: 'never', changes: [], raises: [] }),
};
