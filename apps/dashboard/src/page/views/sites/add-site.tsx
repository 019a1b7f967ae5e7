/** The form that adds a site to the draft: from a few fields, or from a Caddyfile. */
import { useSignal } from '@preact/signals';
import { ask, reasonOf } from '../../api/client.ts';
import { calls } from '../../api/calls.ts';
import { count } from '../../base/format.ts';
import { isObject, valueAt, type Json } from '../../base/json.ts';
import { titleOf } from '../../base/names.ts';
import {
  addressesProblem,
  earlierRoute,
  hostProblem,
  hostsOf,
  kinds,
  routeOf,
  targetProblem,
  withSite,
  type NewSite,
} from '../../base/new-site.ts';
import { serverForSite, servesTls, siteServersOf, siteUrl, type SiteServer } from '../../base/site-url.ts';
import { Card, Field, Problem } from '../../parts/basic.tsx';
import { Tabs } from '../../parts/tabs.tsx';
import { replace, shown } from '../../state/configuration.ts';
import { adjust } from '../../state/location.ts';
import { say } from '../../state/notices.ts';

const titles = {
  ...Object.fromEntries(Object.entries(kinds).map(([key, { title }]) => [key, title])),
  caddyfile: 'Paste a Caddyfile',
};

export function AddSite({ kind, onClose }: { kind: string; onClose: () => void }) {
  const done = (): void => {
    say('ok', 'Site added to the draft. Review and apply it.');
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
      <Tabs label="Site type" tabs={titles} selected={kind} onSelect={(key) => adjust({ add: key })} />
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
  const document = shown.value;
  const servers = siteServersOf(document);
  const preferred = serverForSite(document);
  const asked = kinds[kind];
  const site: NewSite = {
    kind,
    host: host.value.trim(),
    to: to.value.trim(),
    by: by.value.trim(),
    server: server.value,
  };
  const problems = [hostProblem(host.value), targetProblem(kind, to.value), addressesProblem(by.value)] as const;
  const submit = (event: Event & { currentTarget: HTMLFormElement }): void => {
    event.preventDefault();
    if (problems.every((problem) => problem === null)) {
      replace([], withSite(document, site));
      onDone();
    } else event.currentTarget.querySelector<HTMLElement>('[aria-invalid=true]')?.focus();
  };
  return (
    <form class="form" onSubmit={submit}>
      <Field
        label="Host names"
        hint="Separated by spaces, such as shop.example.com or *.example.com. Leave empty for all hosts."
        problem={problems[0]}
      >
        <input
          placeholder="shop.example.com"
          autocomplete="off"
          spellcheck={false}
          value={host.value}
          onInput={(event) => void (host.value = event.currentTarget.value)}
        />
      </Field>
      <Field label={asked?.to ?? ''} hint={asked?.hint} problem={problems[1]}>
        <input
          required
          placeholder={asked?.example}
          autocomplete="off"
          spellcheck={false}
          value={to.value}
          onInput={(event) => void (to.value = event.currentTarget.value)}
        />
      </Field>
      {kind === 'guarded' && (
        <Field
          label="Authentication server"
          hint="Each request is first sent to this address. If the response status code is not 2xx, that response is returned to the client."
          problem={problems[2]}
        >
          <input
            required
            placeholder="localhost:9091"
            autocomplete="off"
            spellcheck={false}
            value={by.value}
            onInput={(event) => void (by.value = event.currentTarget.value)}
          />
        </Field>
      )}
      {servers.length > 1 && (
        <Field label="Server" hint="The server determines the port, and whether the site uses HTTPS.">
          <select
            value={server.value || preferred.key}
            onChange={(event) => void (server.value = event.currentTarget.value)}
          >
            {servers.map((each) => (
              <option key={each.key} value={each.key}>
                {serverText(each, site.host)}
              </option>
            ))}
          </select>
        </Field>
      )}
      <Preview site={site} server={servers.find(({ key }) => key === server.value) ?? preferred} />
      <div>
        <button type="submit" class="main">
          Add to draft
        </button>
      </div>
    </form>
  );
}

/** Shows URLs of the site, and the route that is added. */
function Preview({ site, server }: { site: NewSite; server: SiteServer }) {
  const isValid = hostProblem(site.host) === null;
  const hosts = hostsOf(site.host);
  const earlier = isValid ? earlierRoute(shown.value, site) : null;
  const isNew = siteServersOf(shown.value).every(({ key }) => key !== server.key);
  return (
    <section class="preview" aria-label="Preview" aria-live="polite">
      <h3>Preview</h3>
      {isValid && (
        <p>
          Will be served at{' '}
          {(hosts.length === 0 ? [''] : hosts).map((host, index) => (
            <span key={host}>
              {index > 0 && ', '}
              <code>{siteUrl(server, host)}</code>
            </span>
          ))}
        </p>
      )}
      <p class="soft">
        {isNew
          ? `Adds the server ${server.key}, which listens on ${server.listen.join(', ')}.`
          : `Server ${serverText(server, site.host)}`}
      </p>
      {earlier !== null && (
        <p class="state warn">
          <span aria-hidden="true">▲</span> The route{' '}
          {titleOf(shown.value, ['apps', 'http', 'servers', server.key, 'routes', earlier])} already handles this host
          and comes first.
        </p>
      )}
      <details>
        <summary>Route as JSON</summary>
        <pre>{JSON.stringify(routeOf(site), null, 2)}</pre>
      </details>
    </section>
  );
}

function serverText(server: SiteServer, host: string): string {
  return `${server.key}: ${server.listen.join(', ') || 'no address'} (${servesTls(server, host) ? 'HTTPS' : 'HTTP'})`;
}

/** The server adapts the Caddyfile. The resulting servers are added to those in the draft. */
function Paste({ onDone }: { onDone: () => void }) {
  const text = useSignal('');
  const problem = useSignal<string | null>(null);
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    try {
      const { json } = await ask(calls.adapt({}, { text: text.value, headers: { 'Content-Type': 'text/caddyfile' } }));
      const servers = valueAt((json as { readonly result: Json }).result, ['apps', 'http', 'servers']);
      if (!isObject(servers)) {
        problem.value = 'The Caddyfile contains no site.';
        return;
      }
      let document = shown.value;
      for (const [key, server] of Object.entries(servers)) {
        const free = freeKey(document, key);
        replace(['apps', 'http', 'servers', free], server);
        document = shown.value;
      }
      if (Object.keys(servers).length > 1)
        say('ok', `${count(Object.keys(servers).length, 'server')} added to the draft`);
      onDone();
    } catch (error) {
      problem.value = reasonOf(error);
    }
  };
  return (
    <form class="form" onSubmit={(event) => void submit(event)}>
      {problem.value !== null && <Problem>{problem.value}</Problem>}
      <Field
        label="Caddyfile"
        hint="The servers in the Caddyfile are added to the draft. Existing servers are not changed."
      >
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
          Add to draft
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
