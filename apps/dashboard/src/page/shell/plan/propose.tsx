/** Form that proposes the draft, for another client to approve. */
import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { CopyAsCurl } from '../../parts/action.tsx';
import { Field } from '../../parts/basic.tsx';
import { busy, plan, proposeDraft } from '../../state/plan.ts';
import { proposeCall } from '../../state/proposals.ts';

/** Limits of the server, in UTF-16 code units. */
const maxTitle = 200;
const maxReason = 10_000;

export function Propose({ onCancel }: { onCancel: () => void }) {
  const first = useRef<HTMLInputElement>(null);
  const title = useSignal('');
  const reason = useSignal('');
  const text = { title: title.value.trim(), reason: reason.value.trim() };
  const isDisabled = busy.value || text.title === '' || plan.value?.changed === false;
  useEffect(() => first.current?.focus(), []);
  return (
    <form
      class="form propose"
      aria-label="Proposal"
      onSubmit={(event) => {
        event.preventDefault();
        if (!isDisabled) void proposeDraft(text);
      }}
    >
      <Field label="Title">
        <input
          ref={first}
          required
          maxLength={maxTitle}
          value={title.value}
          onInput={(event) => void (title.value = event.currentTarget.value)}
        />
      </Field>
      <Field label="Reason" hint="Shown to the reviewer who approves the change.">
        <textarea
          rows={3}
          maxLength={maxReason}
          value={reason.value}
          onInput={(event) => void (reason.value = event.currentTarget.value)}
        />
      </Field>
      <div class="row">
        <button type="submit" class="main" disabled={isDisabled}>
          Send proposal
        </button>
        <button type="button" onClick={onCancel}>
          Cancel
        </button>
        <CopyAsCurl call={proposeCall(text)} />
      </div>
    </form>
  );
}
