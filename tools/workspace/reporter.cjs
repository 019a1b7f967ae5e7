/** Mocha reporter of `mocha.mjs`: prints the failures and the totals, and writes the counts for npm test (`Results` of `flaky.mjs`). */
const { writeFileSync } = require('node:fs');
const { reporters, Runner } = require('mocha');

module.exports = class extends reporters.Base {
  constructor(runner, options) {
    super(runner, options);
    /** By file. @type {Map<string, number>} */
    const passes = new Map();
    runner.on(Runner.constants.EVENT_TEST_PASS, ({ file }) => passes.set(file, (passes.get(file) ?? 0) + 1));
    runner.once(Runner.constants.EVENT_RUN_END, () => {
      this.epilogue();
      const { passes: passed, failures: failed, pending: skipped } = this.stats;
      const file = process.env.SLUICE_TEST_RESULTS;
      if (file) writeFileSync(file, JSON.stringify({ passed, failed, skipped, failures: this.#failedFiles(passes) }));
    });
  }

  #failedFiles(passes) {
    const files = new Map();
    for (const failure of this.failures) {
      // A hook is known by its suite; a pattern that no file has fails without one.
      const file = failure.file ?? failure.parent?.file ?? '';
      const entry = files.get(file) ?? { file, titles: [], passed: passes.get(file) ?? 0 };
      entry.titles.push(failure.fullTitle());
      files.set(file, entry);
    }
    return [...files.values()].filter(({ file }) => file !== '');
  }
};
