/** Describes how the handler processes requests, so that checks can report unreachable routes. */
import type { FlowOf } from '@sluice/module/lint';

/** Keyed by handler name. */
export const handlers: Readonly<Record<string, FlowOf>> = {
  hello: () => ({ passes: 'never', changes: [], raises: [] }),
};
