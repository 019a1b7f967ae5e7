/** A button that creates a test case for `sluice test` from a request. The case expects the current response. */
import { calls } from '../../api/calls.ts';
import type { JsonObject } from '../../base/json.ts';
import { Action, copy } from '../../parts/action.tsx';
import { say } from '../../state/notices.ts';

interface MadeCases {
  readonly cases: readonly JsonObject[];
  readonly left_out: readonly { readonly why: string }[];
}

/** Copies the test case. `of` is a request as in `POST /explain`, or a trace. */
export function MakeTest({ of }: { of: object }) {
  return (
    <Action
      label="Copy as test"
      call={calls.makeTest({}, { json: of })}
      onDone={(json) => {
        const { cases, left_out: leftOut } = json as MadeCases;
        for (const { why } of leftOut) say('bad', `Cannot create a test: ${why}`);
        if (cases.length > 0) void copy(`${JSON.stringify({ cases }, null, 2)}\n`, 'Test case for sluice test');
      }}
    />
  );
}
