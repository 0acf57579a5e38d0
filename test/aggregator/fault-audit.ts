/** The user of a request, by a server's audit log. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { eventually, type TestScope, temporaryDirectory } from '../harness/index.ts';

export interface AuditedUser {
  readonly username: string;
  readonly uid?: string;
  readonly groups?: readonly string[];
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

export interface AuditLog {
  /** Flags of the server that has it. */
  readonly flags: readonly string[];
  /** The user of the request whose URL contains the marker. */
  userOf(marker: string): Promise<AuditedUser>;
}

const POLICY = { apiVersion: 'audit.k8s.io/v1', kind: 'Policy', rules: [{ level: 'Metadata' }] };

export async function auditLog(scope: TestScope): Promise<AuditLog> {
  const directory = await temporaryDirectory(scope, 'audit-');
  const [policy, log] = [join(directory, 'policy.json'), join(directory, 'log')];
  await writeFile(policy, JSON.stringify(POLICY));
  return {
    flags: [`--audit-policy-file=${policy}`, `--audit-log-path=${log}`],
    async userOf(marker) {
      const line = await eventually(`the audit log has a request with ${marker}`, async () => {
        const lines = (await readFile(log, 'utf8').catch(() => '')).split('\n').slice(0, -1);
        return lines.find((one) => one.includes(marker));
      });
      return (JSON.parse(line) as { user: AuditedUser }).user;
    },
  };
}
