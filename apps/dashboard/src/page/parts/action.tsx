/**
 * Buttons that make API calls. A button is disabled and names the missing permission if the token lacks it. Each call
 * can be copied as a `curl` command.
 */
import { useSignal } from '@preact/signals';
import { ask, reasonOf } from '../api/client.ts';
import type { Call } from '../api/calls.ts';
import { curlOf } from '../api/curl.ts';
import { hidden } from '../base/secrets.ts';
import { hasToken, lacking } from '../api/session.ts';
import { say } from '../state/notices.ts';

/** Copies text to the clipboard, or shows it if the browser forbids copying. `what` is a title such as “Patch”. */
export async function copy(text: string, what: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    say('ok', `${what} copied`);
  } catch {
    say('bad', `Cannot copy ${what[0]?.toLowerCase() ?? ''}${what.slice(1)}: ${text}`);
  }
}

/** Copies text, and warns if secrets were removed from it. */
export function copySealed(text: string, what: string): Promise<void> {
  return copy(text, text.includes(hidden) ? `${what} without secrets (replace ${hidden})` : what);
}

/** Renders a button that copies a call as a command. */
export function CopyAsCurl({ call }: { call: Call }) {
  const command = (): string => curlOf(call, { origin: location.origin, hasToken: hasToken.value });
  return (
    <button
      type="button"
      class="icon"
      title="Copy as curl"
      aria-label={`Copy as curl: ${call.method} ${call.path}`}
      onClick={() => void copySealed(command(), 'curl command')}
    >
      <span aria-hidden="true">$_</span>
    </button>
  );
}

interface ActionProps {
  readonly call: Call;
  readonly label: string;
  readonly kind?: 'plain' | 'main' | 'danger';
  /** Confirmation prompt. */
  readonly sure?: string;
  /** Notice after success. */
  readonly done?: string;
  /** Receives the response: as JSON, `null` if it is not JSON, and as text. */
  readonly onDone?: (json: unknown, text: string) => void;
  readonly disabled?: boolean;
}

/** Renders a button that makes a call and reports the result. */
export function Action({ call, label, kind = 'plain', sure, done, onDone, disabled = false }: ActionProps) {
  const busy = useSignal(false);
  const lack = lacking(call);
  const run = async (): Promise<void> => {
    if (sure !== undefined && !confirm(sure)) return;
    busy.value = true;
    try {
      const { json, text } = await ask(call);
      if (done !== undefined) say('ok', done);
      onDone?.(json, text);
    } catch (error) {
      say('bad', `${label}: ${reasonOf(error)}`);
    }
    busy.value = false;
  };
  return (
    <span class="action">
      <button
        type="button"
        class={kind}
        disabled={lack !== null || busy.value || disabled}
        title={lack ?? undefined}
        onClick={() => void run()}
      >
        {label}
      </button>
      <CopyAsCurl call={call} />
      {lack !== null && <span class="lack">{lack}</span>}
    </span>
  );
}
