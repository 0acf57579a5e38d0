/** `npm run record:cel`: records the results of Kubernetes' CEL for every case, and of kube-apiserver for rules. */
import { writeFile } from 'node:fs/promises';
import { celCases } from '../interop/cel/cases.ts';
import { judgeCases } from '../interop/cel/judge.ts';
import { answersFile, renderAnswers } from '../interop/cel/recorded-answers.ts';
import { recordRegexps } from '../interop/cel/regexps.ts';
import { recordVerdicts } from '../interop/cel/rules/record.ts';
import { buildPeers } from '../interop/peers/build.ts';
import { peerVersion } from '../interop/peers/peers.ts';

try {
  const log = (line: string) => process.stdout.write(`${line}\n`);
  await buildPeers(['cel-judge'], { log });
  const answers = await judgeCases(celCases);
  const version = peerVersion('cel-judge');
  await writeFile(answersFile, renderAnswers({ program: 'cel-judge', version, answers }));
  log(`${Object.keys(answers).length} answers of Kubernetes ${version}: ${answersFile}`);
  log(await recordRegexps());
  log(await recordVerdicts());
} catch (error) {
  // The usual cause is a missing Go.
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
