/**
 * Tests do not ask the wall clock: a busy machine is not a defect. Timing claims live in `*.timing.test.ts`, which run
 * alone, and in `bench/`. Ordinary tests wait for the event itself, count, or use the virtual clock.
 */
import { blankLiterals } from '../source.ts';
import type { Tree } from '../tree.ts';

interface Pattern {
  readonly what: string;
  readonly instead: string;
  readonly expression: RegExp;
}

const CLOCK = String.raw`(?:performance\.now\(\)|Date\.now\(\)|process\.hrtime(?:\.bigint)?\(\))`;
const COMPARISON = String.raw`\s(?:<=|>=|<|>)\s`;

const PATTERNS: readonly Pattern[] = [
  {
    what: 'sleeps a fixed time',
    instead: 'wait for the event with eventually(), or let the event loop turn with turns()',
    // A pause between two looks at the thing itself is a constant named POLL_MS; 0 is one turn of the loop.
    expression:
      /(?<![.\w])(?:sleep|delay|pause|wait|setTimeout)\s*\((?:[^(),;]+,\s*)?(?:(?!0\s*[,)])\d[\d_.]*|(?!POLL_MS\b)[A-Z][A-Z\d_]*_MS)\b/g,
  },
  {
    what: 'compares elapsed time',
    instead: 'assert order or counts, use the virtual clock, or move it to a *.timing.test.ts',
    expression: new RegExp(
      `${CLOCK}[^;{}\\n]*?${COMPARISON}|${COMPARISON}[^;{}\\n]*?${CLOCK}`,
      'g',
    ),
  },
  {
    what: 'compares a duration',
    instead: 'assert order or counts, use the virtual clock, or move it to a *.timing.test.ts',
    expression:
      /\b(?:\w*(?:took|elapsed|lasted|latency|longest|stretch|stall|least|median|p\d\d)\w*)(?:\(\))?\s(?:<=|<)\s/gi,
  },
  {
    what: 'measures time',
    instead: 'move it to a *.timing.test.ts',
    expression: /\b(?:ownTime|leastMs|monitorEventLoopDelay|eventLoopUtilization)\b/g,
  },
];

/** Files written before the rule, still to be converted. */
const KNOWN: ReadonlySet<string> = new Set([
  'interop/aggregator/backends.ts',
  'interop/apply/sides.ts',
  'interop/behind/go-behind-us-replicas.ts',
  'interop/behind/rotation.ts',
  'interop/charts/scenario.ts',
  'interop/controllers/families.ts',
  'interop/core-policy/original.ts',
  'interop/custom-resources/webhook.ts',
  'interop/delegation/suite.ts',
  'interop/differential/mutants.ts',
  'interop/differential/run-row.ts',
  'interop/flow-control/original-objects.ts',
  'interop/garbage-collection/owner-event.ts',
  'interop/informers/peer-victim.ts',
  'interop/live/cel.test.ts',
  'interop/live/controllers.test.ts',
  'interop/live/helm.test.ts',
  'interop/live/openapi-merge.test.ts',
  'interop/live/schema.test.ts',
  'interop/sequences/sides.ts',
  'interop/soak/followers.ts',
  'interop/soak/namespace-churn.ts',
  'interop/soak/owner-churn.ts',
  'interop/soak/site.ts',
  'interop/stack.ts',
  'packages/aggregator/src/availability/real-servers.slow.test.ts',
  'packages/aggregator/src/availability/start-availability.test.ts',
  'packages/aggregator/src/backend/balancing.test.ts',
  'packages/aggregator/src/backend/bounds.test.ts',
  'packages/aggregator/src/backend/exchange.test.ts',
  'packages/aggregator/src/backend/pool.test.ts',
  'packages/aggregator/src/backend/upgrade.test.ts',
  'packages/aggregator/src/discovery/in-time.test.ts',
  'packages/aggregator/src/discovery/start-discovery.test.ts',
  'packages/aggregator/src/documents/file-document-store.test.ts',
  'packages/aggregator/src/gateway/samples/supervise-sample.test.ts',
  'packages/aggregator/test/debts.test.ts',
  'packages/aggregator/test/openapi-thread.test.ts',
  'packages/aggregator/test/openapi.test.ts',
  'packages/aggregator/test/proxy-streams.test.ts',
  'packages/aggregator/test/tunnel.test.ts',
  'packages/apimachinery/src/patch/json-patch.test.ts',
  'packages/apimachinery/src/patch/strategic-merge-patch.test.ts',
  'packages/apimachinery/src/yaml/decode-yaml.test.ts',
  'packages/apimachinery/test/fuzz.test.ts',
  'packages/cel/src/burners.test.ts',
  'packages/client/src/connections.test.ts',
  'packages/client/src/handler-queue.test.ts',
  'packages/client/src/http1-connections.test.ts',
  'packages/client/src/http1-reader.test.ts',
  'packages/client/src/read-lane.test.ts',
  'packages/client/test/informer-property.test.ts',
  'packages/client/test/informer-restarts.test.ts',
  'packages/client/test/informer.test.ts',
  'packages/client/test/leader-election.test.ts',
  'packages/client/test/resource-client.test.ts',
  'packages/client/test/transport.test.ts',
  'packages/core-server/src/authorization/webhook-authorizer.test.ts',
  'packages/core-server/src/custom-resources/definition/schema/large-schema.test.ts',
  'packages/core-server/src/flow-control/flow-controller.test.ts',
  'packages/core-server/src/kinds/admission-registration/admission-kinds.test.ts',
  'packages/core-server/src/kinds/deployment/deployment-kind.test.ts',
  'packages/core-server/src/kinds/pem.test.ts',
  'packages/core-server/src/kinds/stored/stored-kinds.test.ts',
  'packages/core-server/src/pki/roll-authorities.test.ts',
  'packages/core-server/src/program/when-ready.test.ts',
  'packages/core-server/src/rbac/rbac-index.test.ts',
  'packages/core-server/test/controllers.test.ts',
  'packages/core-server/test/fairness.test.ts',
  'packages/core-server/test/logs.test.ts',
  'packages/core-server/test/namespace-remote-groups.test.ts',
  'packages/server/src/judging/burners.test.ts',
  'packages/server/src/projection/chaos.test.ts',
  'packages/server/src/projection/projection.test.ts',
  'packages/server/src/projection/revisions.test.ts',
  'packages/server/src/reloaded-files.test.ts',
  'packages/server/src/request-info.test.ts',
  'packages/server/src/schema/schema-validation.test.ts',
  'packages/server/src/schema/typed/base64.test.ts',
  'packages/server/src/schema/walk.test.ts',
  'packages/server/src/watch-cache/event-loop.test.ts',
  'packages/server/test/broken-answer.test.ts',
  'packages/server/test/delegation.test.ts',
  'packages/server/test/gzip.test.ts',
  'packages/server/test/many-lists.test.ts',
  'packages/server/test/many-live-resources.test.ts',
  'packages/server/test/operations.test.ts',
  'packages/server/test/projection/projection-server.test.ts',
  'packages/server/test/remote-conversion.test.ts',
  'packages/server/test/slice.test.ts',
  'packages/server/test/websocket-connect.test.ts',
  'packages/server/test/websocket-watch.test.ts',
  'packages/storage-sqlite/test/compaction.test.ts',
  'packages/storage-sqlite/test/persistence.test.ts',
  'packages/storage/src/encryption/encrypted-storage.test.ts',
  'packages/storage/src/encryption/rewrite-stale.test.ts',
  'packages/storage/src/encryption/turn.test.ts',
  'test/aggregator/blast-radius.test.ts',
  'test/aggregator/dead-at-start.slow.test.ts',
  'test/aggregator/fault-leftovers.ts',
  'test/aggregator/fault-neighbours.ts',
  'test/aggregator/fault-table.ts',
  'test/aggregator/fault-wardle.ts',
  'test/aggregator/lifecycle.test.ts',
  'test/aggregator/namespace-debt.slow.test.ts',
  'test/aggregator/registration-objects.ts',
  'test/aggregator/versions.test.ts',
  'test/aggregator/watch-crowd.ts',
  'test/aggregator/watch.test.ts',
  'test/custom-resources/loop-time.test.ts',
  'test/faults/acknowledge.ts',
  'test/faults/attack.ts',
  'test/faults/core-delegation.slow.test.ts',
  'test/faults/core-follower.ts',
  'test/faults/full-disk.test.ts',
  'test/faults/killing.ts',
  'test/faults/many-namespaces.ts',
  'test/faults/mutants.ts',
  'test/faults/namespace-attack.ts',
  'test/faults/namespace-mutants.ts',
  'test/faults/namespace-run.ts',
  'test/faults/watcher.ts',
  'test/faults/writer.ts',
  'test/garbage-collection/our-site.ts',
  'test/garbage-collection/owners.test.ts',
  'test/garbage-collection/run-graph.ts',
  'test/garbage-collection/simulated.slow.test.ts',
  'test/informers/client-node-informer.ts',
  'test/informers/run.ts',
  'test/informers/settle.ts',
  'test/informers/writer.ts',
  'test/start.test.ts',
  'test/young-requests.slow.test.ts',
]);

export function wallClock(tree: Tree): string[] {
  return tree.files
    .filter((path) => isOrdinaryTestCode(path) && !KNOWN.has(path))
    .flatMap((path) => {
      const source = blankLiterals(tree.read(path));
      return PATTERNS.flatMap(({ what, instead, expression }) =>
        [...source.matchAll(expression)].map(
          (match) => `${path}:${lineOf(source, match.index)} ${what}: ${instead}`,
        ),
      );
    });
}

function isOrdinaryTestCode(path: string): boolean {
  if (!path.endsWith('.ts') || path.endsWith('.timing.test.ts')) return false;
  if (path.startsWith('test/harness/')) return false; // Where waiting and measuring are implemented.
  return (
    path.endsWith('.test.ts') ||
    /^(?:test|interop)\/|^(?:packages|samples)\/[^/]+\/test\//.test(path)
  );
}

function lineOf(source: string, index: number): number {
  return source.slice(0, index).split('\n').length;
}
