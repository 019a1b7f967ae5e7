/** The button that makes a case for `sluice test` of a request: what the server does with it now is what the case expects. */
import { calls } from '../../api/calls.ts';
import type { JsonObject } from '../../base/json.ts';
import { Action, copy } from '../../parts/action.tsx';
import { say } from '../../state/notices.ts';

/** What the server makes. */
interface MadeCases {
  readonly cases: readonly JsonObject[];
  readonly left_out: readonly { readonly why: string }[];
}

/** Copies a file of cases. `of`: a request as explain takes it, or a trace. */
export function MakeTest({ of }: { of: object }) {
  return (
    <Action
      label="Make this a test"
      call={calls.makeTest({}, { json: of })}
      onDone={(json) => {
        const { cases, left_out: leftOut } = json as MadeCases;
        for (const { why } of leftOut) say('bad', `There is no test of it: ${why}`);
        if (cases.length > 0) void copy(`${JSON.stringify({ cases }, null, 2)}\n`, 'A case for sluice test');
      }}
    />
  );
}
