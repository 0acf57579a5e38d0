import type { Authentication } from '../request/authenticator.ts';
import type { UserInfo } from '../request/pipeline.ts';
import { parseCsv } from './csv.ts';

/** Users by token, from `--token-auth-file`. */
export type StaticTokens = ReadonlyMap<string, Authentication>;

export interface TokenFile {
  readonly tokens: StaticTokens;
  /** For the operator: skipped lines. */
  readonly warnings: readonly string[];
}

/** Decodes lines of `token,user,uid,"group1,group2"`; the last column is optional. Throws for an invalid line. */
export function parseTokenFile(text: string): TokenFile {
  const tokens = new Map<string, Authentication>();
  const warnings: string[] = [];
  for (const [index, record] of parseCsv(text).entries()) {
    const [token = '', name = '', uid = '', groups] = record;
    if (record.length < 3) {
      throw new Error(
        `must have at least 3 columns (token, user name, user uid), found ${record.length}`,
      );
    }
    if (token === '') {
      warnings.push(`record ${index + 1} has an empty token`);
      continue;
    }
    if (tokens.has(token)) warnings.push(`record ${index + 1} has the token of an earlier one`);
    const user: UserInfo = { name, uid, groups: groups?.split(',') ?? [], extra: {} };
    tokens.set(token, { outcome: 'authenticated', user });
  }
  return { tokens, warnings };
}
