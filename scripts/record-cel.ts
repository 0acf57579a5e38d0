/** `npm run record:cel`: records the results of Kubernetes' CEL for every case, and of kube-apiserver for rules. */
import { writeFile } from 'node:fs/promises';
import { celCases } from '../interop/cel/cases.ts';
import { evaluateCases } from '../interop/cel/evaluator.ts';
import { renderResults, responsesFile } from '../interop/cel/recorded-results.ts';
import { recordRegexps } from '../interop/cel/regexps.ts';
import { recordVerdicts } from '../interop/cel/rules/record.ts';
import { buildPeers } from '../interop/peers/build.ts';
import { peerVersion } from '../interop/peers/peers.ts';

try {
  const log = (line: string) => process.stdout.write(`${line}\n`);
  await buildPeers(['cel-evaluator'], { log });
  const responses = await evaluateCases(celCases);
  const version = peerVersion('cel-evaluator');
  await writeFile(responsesFile, renderResults({ program: 'cel-evaluator', version, responses }));
  log(`${Object.keys(responses).length} answers of Kubernetes ${version}: ${responsesFile}`);
  log(await recordRegexps());
  log(await recordVerdicts());
} catch (error) {
  // The usual cause is a missing Go.
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
