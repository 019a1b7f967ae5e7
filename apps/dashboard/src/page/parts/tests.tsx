/** Results of the tests that policies require, with the failures. */
import { failureLinesOf, testsHeadlineOf, type TestReport } from '../base/tests.ts';
import { State } from './basic.tsx';

export function Tests({ report }: { readonly report: TestReport }) {
  const { passed, failed, skipped, failures, error } = report;
  return (
    <section aria-label="Required tests" class="pad behavior">
      <h3>
        <State health={failed > 0 || error !== null ? 'warn' : 'ok'}>{testsHeadlineOf(report)}</State>
      </h3>
      <p class="soft">
        {error ?? ''} {passed} passed, {failed} failed, {skipped} skipped.
      </p>
      <ul class="groups">
        {failures.map((failure, index) => (
          <li key={index}>
            <div class="summary">{failure.name}</div>
            {failure.file !== undefined && (
              <div class="soft">
                {failure.file}:{failure.line}
              </div>
            )}
            {failureLinesOf(failure).map((line) => (
              <div key={line}>
                <code>{line}</code>
              </div>
            ))}
          </li>
        ))}
      </ul>
    </section>
  );
}
