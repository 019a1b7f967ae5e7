/** Mocha reporter of `mocha.mjs`: prints the failures and the totals, and writes the counts for npm test. */
const { writeFileSync } = require('node:fs');
const { reporters, Runner } = require('mocha');

module.exports = class extends reporters.Base {
  constructor(runner, options) {
    super(runner, options);
    runner.once(Runner.constants.EVENT_RUN_END, () => {
      this.epilogue();
      const { passes: passed, failures: failed, pending: skipped } = this.stats;
      const file = process.env.SLUICE_TEST_RESULTS;
      if (file) writeFileSync(file, JSON.stringify({ passed, failed, skipped }));
    });
  }
};
