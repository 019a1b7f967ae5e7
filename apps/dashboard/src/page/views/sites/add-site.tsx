/** The wizard: a few fields, and a route comes into the draft. Or a Caddyfile is pasted. */
import { useSignal } from '@preact/signals';
import { ask, reasonOf } from '../../api/client.ts';
import { calls } from '../../api/calls.ts';
import { isObject, valueAt, type Json } from '../../base/json.ts';
import { kinds, withSite } from '../../base/new-site.ts';
import { Card, Field, Problem } from '../../parts/basic.tsx';
import { Tabs } from '../../parts/tabs.tsx';
import { replace, shown } from '../../state/configuration.ts';
import { adjust } from '../../state/location.ts';
import { say } from '../../state/notices.ts';

const titles = {
  ...Object.fromEntries(Object.entries(kinds).map(([key, { title }]) => [key, title])),
  caddyfile: 'Paste a Caddyfile',
};

/** The form. */
export function AddSite({ kind, onClose }: { kind: string; onClose: () => void }) {
  const done = (): void => {
    say('ok', 'The site is in the draft: review and apply it');
    onClose();
  };
  return (
    <Card
      title="Add a site"
      side={
        <button type="button" class="icon" aria-label="Close" onClick={onClose}>
          ✕
        </button>
      }
    >
      <Tabs label="What kind of site" tabs={titles} selected={kind} onSelect={(key) => adjust({ add: key })} />
      {kind === 'caddyfile' ? (
        <Paste onDone={done} />
      ) : (
        <Fields key={kind} kind={kind in kinds ? kind : 'proxy'} onDone={done} />
      )}
    </Card>
  );
}

function Fields({ kind, onDone }: { kind: string; onDone: () => void }) {
  const host = useSignal('');
  const to = useSignal('');
  const by = useSignal('');
  const server = useSignal('');
  const servers = valueAt(shown.value, ['apps', 'http', 'servers']);
  const keys = isObject(servers) ? Object.keys(servers) : [];
  const asked = kinds[kind];
  const submit = (event: Event): void => {
    event.preventDefault();
    replace(
      [],
      withSite(shown.value, {
        kind,
        host: host.value.trim(),
        to: to.value.trim(),
        by: by.value.trim(),
        server: server.value,
      }),
    );
    onDone();
  };
  return (
    <form class="form" onSubmit={submit}>
      <Field label="Host" hint="Names separated by spaces; none for all hosts.">
        <input
          placeholder="shop.example.com"
          value={host.value}
          onInput={(event) => void (host.value = event.currentTarget.value)}
        />
      </Field>
      <Field label={asked?.to ?? ''}>
        <input
          required
          placeholder={asked?.example}
          value={to.value}
          onInput={(event) => void (to.value = event.currentTarget.value)}
        />
      </Field>
      {kind === 'guarded' && (
        <Field label="Authenticating server" hint="It is asked first; a response other than 2xx goes to the client.">
          <input
            required
            placeholder="localhost:9091"
            value={by.value}
            onInput={(event) => void (by.value = event.currentTarget.value)}
          />
        </Field>
      )}
      {keys.length > 1 && (
        <Field label="Server">
          <select value={server.value} onChange={(event) => void (server.value = event.currentTarget.value)}>
            <option value="">The one on port 443, or the first</option>
            {keys.map((key) => (
              <option key={key}>{key}</option>
            ))}
          </select>
        </Field>
      )}
      <div>
        <button type="submit" class="main">
          Put into the draft
        </button>
      </div>
    </form>
  );
}

/** A Caddyfile is adapted by the server; its servers come into the draft beside those that there are. */
function Paste({ onDone }: { onDone: () => void }) {
  const text = useSignal('');
  const problem = useSignal<string | null>(null);
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    try {
      const { json } = await ask(calls.adapt({}, { text: text.value, headers: { 'Content-Type': 'text/caddyfile' } }));
      const servers = valueAt((json as { readonly result: Json }).result, ['apps', 'http', 'servers']);
      if (!isObject(servers)) {
        problem.value = 'There is no site in it.';
        return;
      }
      let document = shown.value;
      for (const [key, server] of Object.entries(servers)) {
        const free = freeKey(document, key);
        replace(['apps', 'http', 'servers', free], server);
        document = shown.value;
      }
      onDone();
    } catch (error) {
      problem.value = reasonOf(error);
    }
  };
  return (
    <form class="form" onSubmit={(event) => void submit(event)}>
      {problem.value !== null && <Problem>{problem.value}</Problem>}
      <Field label="Caddyfile" hint="Its servers come into the draft, beside those that there are.">
        <textarea
          rows={10}
          required
          spellcheck={false}
          placeholder={'shop.example.com {\n\treverse_proxy localhost:3000\n}'}
          value={text.value}
          onInput={(event) => void (text.value = event.currentTarget.value)}
        />
      </Field>
      <div>
        <button type="submit" class="main">
          Put into the draft
        </button>
      </div>
    </form>
  );
}

function freeKey(document: Json | undefined, key: string): string {
  for (let number = 0; ; number += 1) {
    const candidate = number === 0 ? key : `${key}-${number}`;
    if (valueAt(document, ['apps', 'http', 'servers', candidate]) === undefined) return candidate;
  }
}
