import { inspect } from 'node:util';
import { wardle } from '../../samples/wardle/src/api.ts';
import { createScope } from '../../test/harness/index.ts';
import { startReferenceStack } from '../stack.ts';
import { compareHistories } from './compare-histories.ts';
import { api } from './mixture.ts';
import { defineMixtures, referenceSide, startOurSide } from './sides.ts';
import { flunders, mixtures } from './subject.ts';

const [which = 'both', count = '100', seed = '1', max = '5'] = process.argv.slice(2);
const scope = createScope('apply');
const stack = await startReferenceStack({ scope });
try {
  for (const subject of [mixtures, flunders]) {
    if (which !== 'both' && which !== subject.name) continue;
    const access = subject === mixtures ? stack.kubeApiserver : stack.sampleApiserver;
    const original = referenceSide(scope, access);
    if (subject === mixtures) await defineMixtures(original);
    const codes: Record<string, number> = {};
    const counted = {
      ...original,
      send: async (sent: never) => {
        const a = await original.send(sent);
        const s = sent as { method: string };
        if (s.method !== 'GET')
          codes[`${s.method} ${a.code}`] = (codes[`${s.method} ${a.code}`] ?? 0) + 1;
        return a;
      },
    };
    const ours = await startOurSide(scope, subject === mixtures ? api : wardle, stack.pki);
    const start = Date.now();
    const run = await compareHistories({
      subject,
      sides: [ours, counted as never],
      namespace: 'default',
      seed: Number(seed),
      count: Number(count),
      prefix: subject.name,
      findingsMax: Number(max),
    });
    console.log(
      subject.name,
      run.count,
      'histories',
      run.steps,
      'steps',
      run.unsteady,
      'unsteady',
      run.findings.length,
      'findings',
      Date.now() - start,
      'ms',
      codes,
    );
    for (const { seed, history, difference } of run.findings) {
      console.log(`--- seed ${seed}`);
      for (const step of history) console.log(JSON.stringify(step));
      const [a, b] = (
        difference.seen[0].length === difference.seen[1].length
          ? difference.seen
          : difference.seen.map((x) => x.slice(0, 1))
      ) as never[];
      const diff = (x: unknown, y: unknown, path: string): void => {
        if (JSON.stringify(x) === JSON.stringify(y)) return;
        if (
          typeof x === 'object' &&
          typeof y === 'object' &&
          x &&
          y &&
          !(Array.isArray(x) !== Array.isArray(y)) &&
          (!Array.isArray(x) || x.length === (y as unknown[]).length)
        ) {
          for (const k of new Set([...Object.keys(x), ...Object.keys(y)]))
            diff((x as never)[k], (y as never)[k], `${path}.${k}`);
        } else
          console.log(
            path,
            '\n  ours    ',
            inspect(x, { depth: 20, breakLength: 200, compact: 20 }),
            '\n  original',
            inspect(y, { depth: 20, breakLength: 200, compact: 20 }),
          );
      };
      diff(a, b, '');
    }
  }
} finally {
  await stack.stop();
  await scope.close();
}
