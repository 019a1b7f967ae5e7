/** Traffic of the last second as a map from left to right, or as lists on phones. */
import { rate } from '../../base/format.ts';
import { Card, Empty } from '../../parts/basic.tsx';
import { inForce } from '../../state/configuration.ts';
import { lately, total } from '../../state/stats.ts';
import { Busiest } from '../overview/busiest.tsx';
import { flowOf, type FlowEdge, type FlowNode } from './flow.ts';

const rowHeight = 44;
const columns = [16, 320, 640] as const;
const nodeWidth = 220;

export function Live() {
  const stats = lately.value ?? total.value;
  if (stats === null || stats.hosts.length === 0) return <Empty>No requests in the last second.</Empty>;
  const flow = flowOf(stats, inForce.value.value);
  return (
    <>
      <div class="map">
        <Card title="Traffic map">
          <svg
            class="flow"
            viewBox={`0 0 880 ${flow.rows * rowHeight + 16}`}
            role="img"
            aria-label="Request flow by server, host and upstream; the tables below contain the same data"
          >
            {flow.edges.map((edge) => (
              <Edge key={`${edge.from.column}${edge.from.key}>${edge.to.key}`} edge={edge} />
            ))}
            {flow.nodes.map((node) => (
              <Node key={`${node.column}${node.key}`} node={node} />
            ))}
          </svg>
        </Card>
      </div>
      <Busiest />
    </>
  );
}

function Edge({ edge: { from, to, rate: flow, failed } }: { edge: FlowEdge }) {
  const [x1, y1] = [columns[from.column] + nodeWidth, middleOf(from)];
  const [x2, y2] = [columns[to.column], middleOf(to)];
  const width = flow === 0 ? 1 : 1.5 + 2 * Math.log10(1 + flow);
  const way = `M${x1} ${y1}C${x1 + 50} ${y1} ${x2 - 50} ${y2} ${x2} ${y2}`;
  return (
    <g>
      <path d={way} class="edge" stroke-width={width} />
      {failed > 0 && <path d={way} class="edge failed" stroke-width={Math.max(1, width * failed)} />}
    </g>
  );
}

function Node({ node }: { node: FlowNode }) {
  const y = middleOf(node);
  const text = node.text.length > 24 ? `${node.text.slice(0, 23)}…` : node.text;
  return (
    <g>
      <title>{node.text}</title>
      <rect
        x={columns[node.column]}
        y={y - 16}
        width={nodeWidth}
        height={32}
        rx={8}
        class={node.errors > 0 ? 'node failed' : 'node'}
      />
      <text x={columns[node.column] + 8} y={y + 4}>
        {text}
      </text>
      <text x={columns[node.column] + nodeWidth - 8} y={y + 4} text-anchor="end" class="rate">
        {rate(node.rate)}
      </text>
    </g>
  );
}

function middleOf({ row }: FlowNode): number {
  return 8 + row * rowHeight + rowHeight / 2;
}
