import { expect } from 'chai';
import { silentLogger, SluiceError } from '@sluice/base';
import { noTraffic, parsePlan, type StepsState } from '@sluice/rollout';
import type { Canary } from '@sluice/reconciler';
import { StepRollout } from '../../src/steps/rollout.ts';
import type { Sides } from '../../src/steps/state.ts';

const nothing = { changed: true, operations: [], report: null, unconfirmed: null, unsaved: null };

/** Creates a rollout whose stages take a tenth of the time in the plan. The test controls its requests. */
function setUp(plan = '1%,10%,all;hold=1s', make: () => Promise<number> = async () => 7) {
  const calls: string[] = [];
  const phases: string[] = [];
  let canary: Canary | null = null;
  let sides: Sides = { new: noTraffic, old: noTraffic };
  let lost = 0;
  const parsed = parsePlan(plan);
  const rollout = new StepRollout({
    reconciler: {
      startCanary: async (started) => {
        canary = started;
        calls.push(`start ${started.settings.share}`);
      },
      shareCanary: async (_id, share) => void calls.push(`share ${share}`),
      endCanary: async () => void calls.push('end'),
    },
    change: {
      id: 'r',
      plan: { ...parsed, hold: parsed.hold / 10 },
      origin: 'test',
      by: 'ada',
      when: 0,
      base: 1,
      patch: [],
    },
    edit: (document) => document,
    make: async () => ({ result: nothing, revision: await make() }),
    reader: { read: () => ({ ...sides, cells: [] }), lost: () => lost },
    log: silentLogger,
    onChange: ({ phase, stage }) => void phases.push(`${phase} ${stage}`),
  });
  const count = (now: number, old: number, failures = 0): void => {
    const latency = Array<number>(20).fill(0);
    const add = ({ requests, ...side }: Sides['new'], more: number, failed: number): Sides['new'] => ({
      requests: requests + more,
      failures: side.failures + failed,
      upstreamFailures: 0,
      clientErrors: 0,
      redirects: 0,
      cut: 0,
      latency: latency.map((_, i) => (side.latency[i] ?? 0) + (i === 15 ? more : 0)),
    });
    sides = { new: add(sides.new, now, failures), old: add(sides.old, old, 0) };
  };
  const until = async (isDone: (state: StepsState) => boolean): Promise<StepsState> => {
    while (!isDone(rollout.state)) await new Promise((resolve) => setTimeout(resolve, 20));
    return rollout.state;
  };
  return { rollout, calls, phases, count, until, lose: () => lost++, end: (why: string) => canary?.onEnd(why) };
}

describe('StepRollout', () => {
  it('StepRollout goes through the stages of its plan and applies the change', async () => {
    const { rollout, calls, phases, count, until } = setUp();
    await rollout.start();
    count(400, 400);
    await until(({ stage }) => stage === 1);
    expect(rollout.state.steps[0]).to.deep.include({ stage: 0 });
    expect(rollout.state.steps[0]?.new.requests).to.equal(400);
    expect(rollout.state.steps[1]?.new.requests).to.equal(0);
    count(400, 400);
    const { revision } = await until(({ phase }) => phase === 'promoted');
    expect(revision).to.equal(7);
    expect(calls).to.deep.equal(['start 0.01', 'share 0.1']);
    expect(phases).to.deep.equal(['holding 0', 'holding 1', 'promoting 1', 'promoted 1']);
  });

  it('StepRollout immediately withdraws a change that causes more failures, and then releases the change', async () => {
    const { rollout, calls, count, until } = setUp('1%,all;hold=1h');
    await rollout.start();
    count(100, 9900, 50);
    const { why, reverted } = await until((state) => state.reverted !== null);
    expect(why).to.include('50.0 % of the requests to changed routes failed with 5xx responses from this server');
    expect(reverted).to.be.lessThan(100);
    expect(calls).to.deep.equal(['start 0.01', 'share 0', 'end']);
  });

  it('StepRollout pauses if there are too few requests, and continues when an operator resumes the rollout', async () => {
    const { rollout, count, until } = setUp('1%,all;hold=1s');
    await rollout.start();
    count(3, 400);
    const { why } = await until(({ phase }) => phase === 'paused');
    expect(why).to.equal(
      'too few requests to evaluate stage 1%: changed routes received 3 of 300 required requests with the change',
    );
    rollout.resume();
    await until(({ phase }) => phase === 'promoted');
  });

  it('StepRollout does not advance while it is paused, but still withdraws the change', async () => {
    const { rollout, count, until } = setUp('1%,all;hold=1s');
    await rollout.start();
    rollout.pause('ada');
    count(400, 400);
    await new Promise((resolve) => setTimeout(resolve, 1400));
    expect(rollout.state).to.deep.include({ phase: 'paused', why: 'paused by ada', stage: 0 });
    count(400, 400, 200);
    await until(({ phase }) => phase === 'taken_back');
  });

  for (const [title, act, reason] of [
    ['a worker exits', ({ lose }) => void lose(), 'a worker exited during the rollout'],
    ['another change conflicts', ({ end }) => end('conflict'), 'conflict'],
    ['an operator aborts it', ({ rollout }) => void rollout.abort('aborted by ada'), 'aborted by ada'],
  ] as readonly (readonly [string, (of: ReturnType<typeof setUp>) => void, string])[])
    it(`StepRollout ends if ${title}`, async () => {
      const of = setUp();
      await of.rollout.start();
      act(of);
      const { why } = await of.until(({ phase }) => phase === 'taken_back');
      expect(why).to.equal(reason);
    });

  it('StepRollout withdraws a change that cannot be applied', async () => {
    const { rollout, calls } = setUp('1%,all', () => Promise.reject(new Error('port in use')));
    await rollout.start();
    await rollout.promote();
    expect(rollout.state).to.deep.include({ phase: 'taken_back', why: 'the change could not be applied: port in use' });
    expect(calls).to.deep.equal(['start 0.01', 'share 0', 'end']);
  });

  it('StepRollout waits while another change awaits confirmation', async () => {
    let isOpen = true;
    const make = async (): Promise<number> => {
      if (isOpen) throw new SluiceError('ERR_UNCONFIRMED', 'confirm it first', { status: 409 });
      return 8;
    };
    const { rollout, count, until } = setUp('1%,all;hold=1s', make);
    await rollout.start();
    count(400, 400);
    await until(({ phase, why }) => phase === 'paused' && why === 'confirm it first');
    isOpen = false;
    await until(({ phase }) => phase === 'promoted');
  });
});
