/** Parses the JUnit report of h2spec. */

/** Result of one h2spec check. */
export interface Checked {
  /** Section and number of the check, such as `http2/6.9.1/3`. */
  readonly check: string;
  readonly what: string;
  readonly failed: boolean;
}

const suites = /<testsuite [^>]*package="([^"]*)"[^>]*>([^]*?)<\/testsuite>/g;
const cases = /<testcase [^>]*classname="([^"]*)"[^>]*?(?:\/>|>([^]*?)<\/testcase>)/g;

/** Returns the checks in a report, in order. */
export function readReport(report: string): Checked[] {
  const checks: Checked[] = [];
  for (const [, section = '', body = ''] of report.matchAll(suites)) {
    let number = 0;
    for (const [, what = '', result = ''] of body.matchAll(cases)) {
      const failed = result.includes('<failure') || result.includes('<error');
      checks.push({ check: `${section}/${++number}`, what, failed });
    }
  }
  return checks;
}
