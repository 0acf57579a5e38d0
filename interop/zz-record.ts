
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createScope } from '../test/harness/index.ts';
import { startCoreReference } from './core/reference.ts';
import { coreSuite } from './core/suite.ts';
import { answersTo } from './differential/run-row.ts';
import { compareAnswers, formatDifferences } from './differential/compare.ts';
import { failedSteps, formatGroup } from './golden/store.ts';
await using scope = createScope('x');
const target = await startCoreReference(scope);
const names = process.argv.slice(2);
await new Promise(r=>setTimeout(r,2000));
for (const group of coreSuite.groups.filter(({name})=>names.includes(name))) {
  const answers = new Map();
  for (const row of group.rows) {
    const a = await answersTo(row, target, { runId: 'first', sharedRevisions: true });
    const b = await answersTo(row, target, { runId: 'second', sharedRevisions: true });
    const d = compareAnswers({ ours: b, reference: a } as any);
    if (d.length) console.log('UNSTABLE', row.name, formatDifferences(d as any).slice(0,400));
    const f = failedSteps(a); if (f.length) console.log('FAILED', row.name, f);
    answers.set(row.name, a);
  }
  await writeFile(join(coreSuite.answersDir, group.name + '.json'), formatGroup(group, { program: target.name, version: target.version, answers } as any));
  console.log(group.name, group.rows.length);
}
