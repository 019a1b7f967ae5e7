/** The page. */
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { readable, signIn, token, useToken, who } from './api/session.ts';
import { ask } from './api/client.ts';
import { calls } from './api/calls.ts';
import { Menu } from './shell/menu.tsx';
import { Notices } from './shell/notices.tsx';
import { Palette } from './shell/palette.tsx';
import { PlanBar } from './shell/plan/plan-bar.tsx';
import { enter, enterByCode, SignIn } from './shell/sign-in.tsx';
import { Unconfirmed } from './shell/unconfirmed.tsx';
import { Unreachable } from './shell/unreachable.tsx';
import { CurrentView } from './shell/views.tsx';
import { watchHealth } from './shell/watch.ts';
import { followEvents } from './state/events.ts';
import { discard } from './state/configuration.ts';
import { keepDrafts, mayDiscard } from './state/kept-draft.ts';
import { describeServer } from './state/server.ts';
import { followStats } from './state/stats.ts';

/** Signs in if necessary, then subscribes to the server. */
export function App() {
  const entered = useSignal(false);
  useEffect(() => {
    void (async () => {
      await enterByCode();
      entered.value = await enter();
    })();
  }, []);
  if (signIn.value !== null) return <SignIn onEntered={() => void (entered.value = true)} />;
  return entered.value ? <Following key={token.value} /> : null;
}

function Following() {
  useEffect(() => {
    // Request visible data first.
    const ends = [followStats(), followEvents(), keepDrafts()];
    let ended = false;
    void describeServer().then(() => {
      if (!ended) ends.push(watchHealth());
    });
    return () => {
      ended = true;
      for (const end of ends) end();
    };
  }, []);
  return (
    <>
      <div class="shell">
        <Menu />
        <div class="stage">
          <header class="bar">
            <Palette />
            <Owner />
          </header>
          <Unreachable />
          <Unconfirmed />
          <main class="content" id="content">
            <CurrentView />
          </main>
          <PlanBar />
        </div>
      </div>
      <Notices />
    </>
  );
}

/** Shows the token name and the sign-out button. */
function Owner() {
  const name = who.value?.name ?? null;
  if (name === null) return <div class="who soft">No sign-in required</div>;
  const leave = async (): Promise<void> => {
    if (!mayDiscard()) return;
    discard();
    await ask(calls.endSession()).catch(() => undefined);
    useToken('', false);
    signIn.value = 'Signed out.';
  };
  return (
    <div class="who">
      <span>
        {name}
        {readable.value !== '' && <span class="soft"> · limited to {readable.value}</span>}
      </span>
      <button type="button" onClick={() => void leave()}>
        Sign out
      </button>
    </div>
  );
}
