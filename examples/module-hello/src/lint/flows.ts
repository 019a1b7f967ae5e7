/** What the handler does with requests, so that checks know that what stands after it is never run. */
import type { FlowOf } from '@sluice/module/lint';

/** By the names of handlers. */
export const handlers: Readonly<Record<string, FlowOf>> = {
  hello: () => ({ passes: 'never', changes: [], raises: [] }),
};
