import { expect } from 'chai';
import { maxSeries, mergeMetrics, Metrics, metricsFormatFor, renderMetrics } from '@sluice/registry';

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

describe('metrics', () => {
  it('are written in the text format of Prometheus', () => {
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

  it('are written as OpenMetrics where that is asked for and allowed', () => {
    const format = metricsFormatFor('application/openmetrics-text; version=1.0.0');
    const text = renderMetrics(example().snapshot(), format);
    expect(text)
      .to.include('# TYPE app_requests counter\napp_requests_total{')
      .and.match(/# EOF\n$/);
    expect(metricsFormatFor('application/openmetrics-text', false).openMetrics).to.equal(false);
  });

  it('of several threads are added up', () => {
    const merged = mergeMetrics([example().snapshot(), example().snapshot(), new Metrics().snapshot()]);
    expect(renderMetrics(merged, metricsFormatFor(undefined)))
      .to.include('path="/a\\"b\\\\"} 6')
      .and.include('le="+Inf"} 6')
      .and.include('app_in_flight 8');
  });

  it('have a bound on label sets', () => {
    const family = new Metrics().counter('x_total', 'x', ['host']);
    for (let i = 0; i < maxSeries + 500; i++) family.with(`h${i}`).add();
    expect([...family.series()]).to.have.length(maxSeries + 1);
    expect(family.with('_overflow').value).to.equal(500);
  });
});
