/**
 * Mocha reporter for `mocha.mjs`. Prints failures and totals, and writes the counts for npm test (`Results` in `flaky.mjs`), including the
 * duration of each file, by which the next run divides files among processes.
 */
const { writeFileSync } = require('node:fs');
const { format } = require('node:util');
const { reporters, Runner } = require('mocha');

module.exports = class extends reporters.Base {
  constructor(runner, options) {
    super(runner, options);
    /** Number of passed tests by file. @type {Map<string, number>} */
    const passes = new Map();
    /** Milliseconds by file, including hooks. @type {Map<string, number>} */
    const durations = new Map();
    let begin = 0;
    const { EVENT_TEST_PASS, EVENT_SUITE_BEGIN, EVENT_SUITE_END, EVENT_RUN_END } = Runner.constants;
    runner.on(EVENT_TEST_PASS, ({ file }) => passes.set(file, (passes.get(file) ?? 0) + 1));
    runner.on(EVENT_SUITE_BEGIN, (suite) => {
      if (suite.parent?.root) begin = performance.now();
    });
    runner.on(EVENT_SUITE_END, (suite) => {
      if (!suite.parent?.root) return;
      durations.set(suite.file, (durations.get(suite.file) ?? 0) + Math.round(performance.now() - begin));
    });
    runner.once(EVENT_RUN_END, () => {
      const output = this.#printEpilogue();
      const { passes: passed, failures: failed, pending: skipped } = this.stats;
      const file = process.env.SLUICE_TEST_RESULTS;
      if (!file) return;
      const results = { passed, failed, skipped, failures: this.#failedFiles(passes) };
      const times = { durations: Object.fromEntries(durations) };
      writeFileSync(file, JSON.stringify({ ...results, ...times, ...(failed > 0 && { output }) }));
    });
  }

  /** Prints the failures and the totals, and returns what was printed. */
  #printEpilogue() {
    const lines = [];
    const { consoleLog } = reporters.Base;
    reporters.Base.consoleLog = (...values) => {
      lines.push(format(...values));
      consoleLog(...values);
    };
    this.epilogue();
    reporters.Base.consoleLog = consoleLog;
    return lines.join('\n');
  }

  #failedFiles(passes) {
    const files = new Map();
    for (const failure of this.failures) {
      // A hook is identified by its suite. If no file matches a pattern, the failure has neither.
      const file = failure.file ?? failure.parent?.file ?? '';
      const entry = files.get(file) ?? { file, titles: [], passed: passes.get(file) ?? 0 };
      entry.titles.push(failure.fullTitle());
      files.set(file, entry);
    }
    return [...files.values()].filter(({ file }) => file !== '');
  }
};
