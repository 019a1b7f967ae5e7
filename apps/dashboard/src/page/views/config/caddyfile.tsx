/** The current configuration as a Caddyfile. */
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

const fidelities: Readonly<Record<string, readonly [word: string, text: string]>> = {
  identical: ['Exact', 'Adapting this Caddyfile produces identical JSON.'],
  same: ['Equivalent', 'Adapting this Caddyfile produces equivalent JSON.'],
  different: ['Lossy', 'Parts that a Caddyfile cannot represent are shown as comments.'],
};

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
  const received = text.value ?? '';
  const [word, description] = fidelities[conversion.value] ?? ['', ''];
  const sealed = withoutSecretsOf(inForce.value.value, received);
  const whole = open.value ? received : sealed;
  return (
    <div class="form">
      <div class="row">
        <State health={conversion.value === 'different' ? 'warn' : 'ok'}>{word}</State>
        <span class="soft">{description} This is the current configuration, without your draft.</span>
        <button type="button" onClick={() => void copySealed(whole, 'Caddyfile')}>
          Copy
        </button>
        {received !== sealed && <SecretsButton open={open} />}
      </div>
      <pre class="source" role="region" tabIndex={0} aria-label="Caddyfile">
        {whole}
      </pre>
    </div>
  );
}
