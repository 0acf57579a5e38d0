/**
 * `npm run record:rbac`: records the roles and bindings of kube-apiserver, and its responses to writes that
 * escalate.
 */
import { writeFile } from 'node:fs/promises';
import { policyCases } from '../interop/core-policy/cases.ts';
import { givePolicy, originalResult } from '../interop/core-policy/original.ts';
import { readOriginalPolicy } from '../interop/core-policy/original-policy.ts';
import { policyModule, renderPolicyModule } from '../interop/core-policy/policy-module.ts';
import type { PolicyResult } from '../interop/core-policy/policy-result.ts';
import { type RecordedResults, responsesFile } from '../interop/core-policy/recorded-results.ts';
import { type ServerAccess, startReferenceStack } from '../interop/stack.ts';

try {
  await using stack = await startReferenceStack();
  const version = stack.versions.kubeApiserver;
  const policy = await readOriginalPolicy(stack.kubeApiserver);
  await writeFile(policyModule, renderPolicyModule(policy, version));
  const count = Object.values(policy).reduce((sum, objects) => sum + objects.length, 0);
  process.stdout.write(`${count} objects of kube-apiserver ${version}: ${policyModule}\n`);
  const responses = await askAll(stack.kubeApiserver);
  const recorded: RecordedResults = { program: 'kube-apiserver', version, responses };
  await writeFile(responsesFile, `${JSON.stringify(recorded, undefined, 2)}\n`);
  process.stdout.write(`${policyCases.length} answers: ${responsesFile}\n`);
} catch (error) {
  // The usual cause is a missing program; the message says how to build it.
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}

async function askAll(server: ServerAccess): Promise<Record<string, PolicyResult>> {
  await givePolicy(server);
  const responses: Record<string, PolicyResult> = {};
  for (const one of policyCases) responses[one.name] = await originalResult(server, one);
  return responses;
}
