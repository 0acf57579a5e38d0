import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { sourceFlags } from '../packages/server/launcher.js';
import type { Benchmark } from './benchmark.ts';

/** A measurement that needs a process of its own, because it looks at the memory or the CPU of all of it. */
export function scriptBenchmark(name: string, question: string): Benchmark {
  return {
    name,
    question,
    measure: async () => {
      const script = join(import.meta.dirname, `${name}.ts`);
      const { status, stdout, stderr } = spawnSync(process.execPath, [...sourceFlags(), script], {
        encoding: 'utf8',
      });
      if (status !== 0) throw new Error(`${name}: ${stderr}`);
      return stdout.trimEnd().split('\n');
    },
  };
}
