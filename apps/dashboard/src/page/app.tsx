/** The page as a whole. */
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
import { describeServer } from './state/server.ts';
import { followStats } from './state/stats.ts';

/** Signs in if need be, and then follows the server. */
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
    // What is seen first is asked for first.
    const ends = [followStats(), followEvents()];
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
          <div class="bar">
            <Palette />
            <Owner />
          </div>
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

/** Whose token it is, and the way out. */
function Owner() {
  const name = who.value?.name ?? null;
  if (name === null) return <div class="who soft">No token is needed here</div>;
  const leave = async (): Promise<void> => {
    await ask(calls.endSession()).catch(() => undefined);
    useToken('', false);
    signIn.value = 'Signed out.';
  };
  return (
    <div class="who">
      <span>
        {name}
        {readable.value !== '' && <span class="soft"> · sees {readable.value}</span>}
      </span>
      <button type="button" onClick={() => void leave()}>
        Sign out
      </button>
    </div>
  );
}
