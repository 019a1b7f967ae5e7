/** The sign-in form, for servers that require a token. */
import { useSignal } from '@preact/signals';
import { ask, reasonOf } from '../api/client.ts';
import { calls } from '../api/calls.ts';
import { signIn, token, useToken, who, type Who } from '../api/session.ts';
import { Code, Field, Problem } from '../parts/basic.tsx';
import { Wave } from '../parts/wave.tsx';

/** Reads the session. If the token is missing or invalid, the page requests a token. */
export async function enter(): Promise<boolean> {
  try {
    who.value = (await ask(calls.who())).json as Who;
    signIn.value = null;
    return true;
  } catch (error) {
    who.value = null;
    signIn.value ??= reasonOf(error);
    return false;
  }
}

/** Exchanges the code of `sluice ui` for a session. The code is removed from the address first. */
export async function enterByCode(): Promise<void> {
  const code = /^#code=([\w-]+)$/.exec(location.hash)?.[1];
  if (code === undefined) return;
  history.replaceState(null, '', '#/overview');
  try {
    const { json } = await ask(calls.openSession({}, { json: { code } }));
    useToken((json as { readonly token: string }).token, true);
  } catch (error) {
    signIn.value = reasonOf(error);
  }
}

export function SignIn({ onEntered }: { onEntered: () => void }) {
  const text = useSignal('');
  const keep = useSignal(false);
  const problem = useSignal<string | null>(null);
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    useToken(text.value.trim(), keep.value);
    if (await enter()) onEntered();
    else {
      problem.value = signIn.value;
      token.value = '';
    }
  };
  return (
    <main class="entry">
      <Wave />
      <h1>Sluice</h1>
      <p class="soft">{signIn.value}</p>
      <form class="form" onSubmit={(event) => void submit(event)}>
        {problem.value !== null && <Problem>{problem.value}</Problem>}
        <Field label="Token" hint="Stored only in this tab's memory.">
          <input
            type="password"
            autocomplete="off"
            required
            value={text.value}
            onInput={(event) => void (text.value = event.currentTarget.value)}
          />
        </Field>
        <label>
          <input
            type="checkbox"
            checked={keep.value}
            onChange={(event) => void (keep.value = event.currentTarget.checked)}
          />
          Remember until I close this tab
        </label>
        <button type="submit" class="main">
          Sign in
        </button>
        <p class="soft">
          Create a token with <Code>sluice token</Code>, or run <Code>sluice ui</Code> to open this page signed in.
        </p>
      </form>
    </main>
  );
}
