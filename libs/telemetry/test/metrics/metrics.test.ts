import { expect } from 'chai';
import { onFault } from '@sluice/base';
import { maxSeries, mergeMetrics, Metrics, metricsFormatFor, renderMetrics } from '@sluice/telemetry';

function example(): Metrics {
  const metrics = new Metrics();
  const requests = metrics.counter('app_requests_total', 'Requests\nserved.', ['method', 'path']);
  requests.with('GET', '/a"b\\').add();
  requests.with('GET', '/a"b\\').add(2);
  metrics.gauge('app_in_flight', 'In flight.').with().set(4);
  const times = metrics.histogram('app_seconds', 'Times.', [0.1, 1], ['method']).with('GET');
  for (const value of [0.1, 0.5, 7]) times.observe(value);
  return metrics;
}

const escaped = (text: string): string => text.replaceAll(/[+.]/g, String.raw`\$&`);

describe('renderMetrics, mergeMetrics and Metrics', () => {
  it('renderMetrics writes the Prometheus text format', () => {
    expect(renderMetrics(example().snapshot(), metricsFormatFor(undefined))).to.equal(`# HELP app_in_flight In flight.
# TYPE app_in_flight gauge
app_in_flight 4
# HELP app_requests_total Requests\\nserved.
# TYPE app_requests_total counter
app_requests_total{method="GET",path="/a\\"b\\\\"} 3
# HELP app_seconds Times.
# TYPE app_seconds histogram
app_seconds_bucket{method="GET",le="0.1"} 1
app_seconds_bucket{method="GET",le="1"} 2
app_seconds_bucket{method="GET",le="+Inf"} 3
app_seconds_sum{method="GET"} 7.6
app_seconds_count{method="GET"} 3
`);
  });

  it('renderMetrics writes OpenMetrics if requested and allowed', () => {
    const format = metricsFormatFor('application/openmetrics-text; version=1.0.0');
    const text = renderMetrics(example().snapshot(), format);
    expect(text)
      .to.include('# TYPE app_requests counter\napp_requests_total{')
      .and.match(/# EOF\n$/);
    expect(text).to.include('app_in_flight 4.0\n').and.include('le="1.0"} 2\n');
  });

  const formats: [accept: string, type: string][] = [
    ['', 'text/plain; version=0.0.4'],
    ['*/*', 'text/plain; version=0.0.4'],
    ['application/openmetrics-text', 'application/openmetrics-text; version=0.0.1'],
    ['application/OpenMetrics-text; version=1.0.0; charset=utf-8', 'application/openmetrics-text; version=1.0.0'],
    ['application/openmetrics-text;version=2.0.0', 'text/plain; version=0.0.4'],
    ['application/openmetrics-text;q=0.3, text/plain;q=0.2', 'application/openmetrics-text; version=0.0.1'],
    ['application/openmetrics-text;q=0.1, text/plain;q=0.9', 'text/plain; version=0.0.4'],
    ['application/openmetrics-text;q=0', 'text/plain; version=0.0.4'],
    ['text/plain;q=1, application/openmetrics-text', 'text/plain; version=0.0.4'],
    ['text/plain;q=0.9, application/openmetrics-text', 'application/openmetrics-text; version=0.0.1'],
    [
      'text/plain;version=1.0.0;q=0.9, application/openmetrics-text;q=0.1',
      'application/openmetrics-text; version=0.0.1',
    ],
  ];
  for (const [accept, type] of formats) {
    it(`metricsFormatFor returns ${type} for Accept: ${accept}`, () => {
      expect(metricsFormatFor(accept).contentType).to.equal(`${type}; charset=utf-8; escaping=underscores`);
      expect(metricsFormatFor(accept, false).openMetrics).to.equal(false);
    });
  }

  const numbers: [value: number, text: string, open: string][] = [
    [0, '0', '0.0'],
    [3, '3', '3.0'],
    [262_144, '262144', '262144.0'],
    [1_048_576, '1.048576e+06', '1.048576e+06'],
    [0.000_047_599, '4.7599e-05', '4.7599e-05'],
    [0.0001, '0.0001', '0.0001'],
    [1_795_259_566.876_393_3, '1.7952595668763933e+09', '1.7952595668763933e+09'],
    [-1.5, '-1.5', '-1.5'],
    [1e100, '1e+100', '1e+100'],
    [Number.POSITIVE_INFINITY, '+Inf', '+Inf'],
    [Number.NEGATIVE_INFINITY, '-Inf', '-Inf'],
    [Number.NaN, 'NaN', 'NaN'],
  ];
  for (const [value, plain, open] of numbers) {
    it(`renderMetrics writes ${value} as ${plain}, and as ${open} in OpenMetrics`, () => {
      const metrics = new Metrics();
      metrics.gauge('x', 'X.').with().set(value);
      expect(renderMetrics(metrics.snapshot(), metricsFormatFor(''))).to.match(
        new RegExp(`^x ${escaped(plain)}$`, 'm'),
      );
      const format = metricsFormatFor('application/openmetrics-text');
      expect(renderMetrics(metrics.snapshot(), format)).to.match(new RegExp(`^x ${escaped(open)}$`, 'm'));
    });
  }

  it('renderMetrics sorts metrics by name and labels', () => {
    const metrics = new Metrics();
    const b = metrics.gauge('b', 'B.', ['x', 'y']);
    for (const [x, y] of [
      ['2', '1'],
      ['1', '2'],
      ['1', '1'],
      ['10', '1'],
      ['2', '0'],
    ] as const)
      b.with(x, y).set(1);
    for (const name of ['c', 'a', 'ab']) metrics.gauge(name, 'X.').with().set(1);
    const text = renderMetrics(metrics.snapshot(), metricsFormatFor(''));
    expect(text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))).to.deep.equal([
      'a 1',
      'ab 1',
      'b{x="1",y="1"} 1',
      'b{x="1",y="2"} 1',
      'b{x="10",y="1"} 1',
      'b{x="2",y="0"} 1',
      'b{x="2",y="1"} 1',
      'c 1',
    ]);
  });

  it('renderMetrics omits metric families without series', () => {
    const metrics = new Metrics();
    const family = metrics.gauge('x', 'X.', ['a']);
    expect(renderMetrics(metrics.snapshot(), metricsFormatFor(''))).to.equal('');
    family.with('1').set(1);
    family.with('2').set(2);
    family.delete('1');
    expect(renderMetrics(metrics.snapshot(), metricsFormatFor(''))).to.equal(
      '# HELP x X.\n# TYPE x gauge\nx{a="2"} 2\n',
    );
  });

  it('renderMetrics escapes help and labels', () => {
    const metrics = new Metrics();
    metrics.gauge('x', 'a\\b\n"c"', ['l']).with('a\\b\n"c"').set(1);
    expect(renderMetrics(metrics.snapshot(), metricsFormatFor(''))).to.equal(
      '# HELP x a\\\\b\\n"c"\n# TYPE x gauge\nx{l="a\\\\b\\n\\"c\\""} 1\n',
    );
  });

  it('mergeMetrics adds up metrics of several threads', () => {
    const merged = mergeMetrics([example().snapshot(), example().snapshot(), new Metrics().snapshot()]);
    expect(renderMetrics(merged, metricsFormatFor(undefined)))
      .to.include('path="/a\\"b\\\\"} 6')
      .and.include('le="+Inf"} 6')
      .and.include('app_in_flight 8');
  });

  it('mergeMetrics keeps the first metric family if label names differ', () => {
    const [one, two] = [new Metrics(), new Metrics()];
    one.counter('x_total', 'X.', ['a']).with('1').add(2);
    two.counter('x_total', 'X.', ['b']).with('1').add(3);
    two.counter('y_total', 'Y.', ['a']).with('1').add(4);
    const merged = mergeMetrics([one.snapshot(), two.snapshot()]);
    expect(merged.map(({ name, series }) => [name, series.map(({ value }) => value)])).to.deep.equal([
      ['x_total', [2]],
      ['y_total', [4]],
    ]);
  });

  it('mergeMetrics adds up histograms by bucket', () => {
    const snapshots = [0.5, 1.5, 5].map((value) => {
      const metrics = new Metrics();
      metrics.histogram('x', 'X.', [1, 2]).with().observe(value);
      return metrics.snapshot();
    });
    const [family] = mergeMetrics([...snapshots, ...snapshots]);
    expect(family?.series).to.deep.equal([{ labels: [], value: 14, count: 6, buckets: [2, 2, 2] }]);
  });

  it('Metrics resets a metric family whose label names change', () => {
    const metrics = new Metrics();
    metrics.counter('x_total', 'x', ['a']).with('1').add();
    metrics.counter('x_total', 'x', ['a', 'b']).with('1', '2').add();
    expect(metrics.snapshot().map(({ series }) => series.map(({ labels }) => labels))).to.deep.equal([[['1', '2']]]);
  });

  it('Metrics.snapshot updates collected metrics before it returns', () => {
    const metrics = new Metrics();
    const gauge = metrics.gauge('x', 'X.').with();
    const stop = metrics.onCollect(() => gauge.add());
    expect(metrics.snapshot()[0]?.series[0]?.value).to.equal(1);
    stop();
    expect(metrics.snapshot()[0]?.series[0]?.value).to.equal(1);
  });

  it('Metrics.snapshot omits a collector that throws, and reports the fault', () => {
    const faults: unknown[] = [];
    const stop = onFault(({ error }) => faults.push(error));
    const metrics = new Metrics();
    const gauge = metrics.gauge('x', 'X.').with();
    const mistake = new Error('a mistake');
    metrics.onCollect(() => {
      throw mistake;
    });
    metrics.onCollect(() => gauge.add());
    expect(metrics.snapshot()[0]?.series[0]?.value).to.equal(1);
    stop();
    expect(faults).to.deep.equal([mistake]);
  });

  it('Metrics limits the number of label sets', () => {
    const family = new Metrics().counter('x_total', 'x', ['host']);
    for (let i = 0; i < maxSeries + 500; i++) family.with(`h${i}`).add();
    expect([...family.series()]).to.have.length(maxSeries + 1);
    expect(family.with('_overflow').value).to.equal(500);
  });
});
