/**
 * `npm run record:rbac`: records the roles and bindings of kube-apiserver, and its responses to writes that
 * escalate.
 */
import { writeFile } from 'node:fs/promises';
import type { PolicyAnswer } from '../interop/core-policy/answer.ts';
import { policyCases } from '../interop/core-policy/cases.ts';
import { givePolicy, originalAnswer } from '../interop/core-policy/original.ts';
import { readOriginalPolicy } from '../interop/core-policy/original-policy.ts';
import { policyModule, renderPolicyModule } from '../interop/core-policy/policy-module.ts';
import { answersFile, type RecordedAnswers } from '../interop/core-policy/recorded-answers.ts';
import { type ServerAccess, startReferenceStack } from '../interop/stack.ts';

try {
  await using stack = await startReferenceStack();
  const version = stack.versions.kubeApiserver;
  const policy = await readOriginalPolicy(stack.kubeApiserver);
  await writeFile(policyModule, renderPolicyModule(policy, version));
  const count = Object.values(policy).reduce((sum, objects) => sum + objects.length, 0);
  process.stdout.write(`${count} objects of kube-apiserver ${version}: ${policyModule}\n`);
  const answers = await askAll(stack.kubeApiserver);
  const recorded: RecordedAnswers = { program: 'kube-apiserver', version, answers };
  await writeFile(answersFile, `${JSON.stringify(recorded, undefined, 2)}\n`);
  process.stdout.write(`${policyCases.length} answers: ${answersFile}\n`);
} catch (error) {
  // The usual cause is a missing program; the message says how to build it.
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}

async function askAll(server: ServerAccess): Promise<Record<string, PolicyAnswer>> {
  await givePolicy(server);
  const answers: Record<string, PolicyAnswer> = {};
  for (const one of policyCases) answers[one.name] = await originalAnswer(server, one);
  return answers;
}
