import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { sourceFlags } from '../packages/server/launcher.js';
import type { Benchmark } from './benchmark.ts';

/** A measurement in a process of its own, because it measures the memory or CPU of the whole process. */
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
