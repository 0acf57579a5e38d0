/** The events that the original writes for the script, as recorded beside it. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type AuditEvents,
  auditEvents,
  POLICY,
  TOKENS,
} from '../../packages/core-server/test/audit-script.ts';
import { createScope, temporaryDirectory } from '../../test/harness/index.ts';
import { startReferenceStack } from '../stack.ts';

export const eventsFile = join(
  import.meta.dirname,
  '../../packages/core-server/test/audit-events.json',
);

export async function originalEvents(): Promise<{ version: string; events: AuditEvents }> {
  await using scope = createScope('audit of the original');
  const directory = await temporaryDirectory(scope, 'audit-');
  const file = (name: string) => join(directory, name);
  await writeFile(file('policy.yaml'), POLICY);
  await writeFile(file('tokens.csv'), `${TOKENS.join('\n')}\n`, { mode: 0o600 });
  await using stack = await startReferenceStack({
    scope,
    kubeApiserverFlags: [
      `--audit-policy-file=${file('policy.yaml')}`,
      `--audit-log-path=${file('audit.log')}`,
      `--token-auth-file=${file('tokens.csv')}`,
    ],
  });
  const { url, ca } = stack.kubeApiserver;
  const events = await auditEvents({ url, ca, logFile: file('audit.log') });
  return { version: stack.versions.kubeApiserver, events };
}

export function renderEvents(recorded: { version: string; events: AuditEvents }): string {
  const { version, events } = recorded;
  return `${JSON.stringify({ program: 'kube-apiserver', version, events }, undefined, 2)}\n`;
}
