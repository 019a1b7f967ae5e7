/** What runs, as a Caddyfile. */
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { ask, reasonOf } from '../../api/client.ts';
import { calls } from '../../api/calls.ts';
import { withoutSecretsOf } from '../../base/secrets.ts';
import { copySealed } from '../../parts/action.tsx';
import { Problem, State } from '../../parts/basic.tsx';
import { SecretsButton } from '../../parts/secrets-button.tsx';
import { inForce } from '../../state/configuration.ts';
import { configChanges } from '../../state/events.ts';

const sayings: Readonly<Record<string, string>> = {
  identical: 'Adapting it gives the configuration to the letter.',
  same: 'Adapting it gives other JSON that does the same.',
  different: 'Some of the configuration is only said in comments: a Caddyfile has no word for it.',
};

/** Shows it. */
export function Caddyfile() {
  const text = useSignal<string | null>(null);
  const conversion = useSignal('');
  const problem = useSignal<string | null>(null);
  const open = useSignal(false);
  useEffect(() => {
    const abort = new AbortController();
    ask(calls.readAll({}, { headers: { Accept: 'text/caddyfile' } }), abort.signal)
      .then((reply) => {
        text.value = reply.text;
        conversion.value = reply.headers.get('Conversion')?.split(';')[0] ?? '';
        problem.value = null;
      })
      .catch((error: unknown) => {
        if (!abort.signal.aborted) problem.value = reasonOf(error);
      });
    return () => abort.abort();
  }, [configChanges.value]);
  if (problem.value !== null) return <Problem>{problem.value}</Problem>;
  const told = text.value ?? '';
  const sealed = withoutSecretsOf(inForce.value.value, told);
  const whole = open.value ? told : sealed;
  return (
    <div class="form">
      <div class="row">
        <State health={conversion.value === 'different' ? 'warn' : 'ok'}>{conversion.value}</State>
        <span class="soft">{sayings[conversion.value] ?? ''} This is what is in force, without the draft.</span>
        <button type="button" onClick={() => void copySealed(whole, 'The Caddyfile')}>
          Copy
        </button>
        {told !== sealed && <SecretsButton open={open} />}
      </div>
      <pre class="source" role="region" tabIndex={0} aria-label="Caddyfile">
        {whole}
      </pre>
    </div>
  );
}
