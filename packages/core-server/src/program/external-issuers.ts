import { readFile } from 'node:fs/promises';
import type { Logger } from '@tributary/server';
import { FlagError } from '@tributary/server/program';
import { systemClock } from '@tributary/storage';
import {
  issuerOfFlags,
  JwtIssuers,
  parseAuthenticationConfiguration,
} from '../authentication/index.ts';
import type { CoreFlags } from './core-flags.ts';

/** External token issuers of the flags or the AuthenticationConfiguration; undefined without any. */
export async function externalIssuers(
  flags: CoreFlags,
  apiAudiences: readonly string[],
  log: Logger,
): Promise<JwtIssuers | undefined> {
  const disallowedIssuers = flags.serviceAccountIssuer;
  const options = {
    apiAudiences,
    disallowedIssuers,
    clock: systemClock,
    onProblem: (issuer: string, problem: Error) =>
      log.error(problem, 'Token issuer is not ready', { issuer }),
  };
  const ofFlags = await issuerOf(flags);
  if (flags.authenticationConfig === '') {
    return ofFlags && new JwtIssuers({ ...options, issuers: [ofFlags] });
  }
  if (ofFlags !== undefined) {
    throw new FlagError('--authentication-config and --oidc-* are mutually exclusive');
  }
  const file = flags.authenticationConfig;
  try {
    const text = await readFile(file, 'utf8');
    return new JwtIssuers({
      ...options,
      ...parseAuthenticationConfiguration(text, disallowedIssuers),
    });
  } catch (error) {
    throw new FlagError(`--authentication-config ${file}: ${messageOf(error)}`);
  }
}

async function issuerOf(flags: CoreFlags) {
  if (flags.oidcIssuerUrl === '' && flags.oidcClientId === '') return undefined;
  const ca = flags.oidcCaFile === '' ? undefined : await readFile(flags.oidcCaFile, 'utf8');
  try {
    return issuerOfFlags(
      {
        issuerUrl: flags.oidcIssuerUrl,
        clientId: flags.oidcClientId,
        ...(ca !== undefined && { ca }),
        usernameClaim: flags.oidcUsernameClaim,
        ...(flags.oidcUsernamePrefix !== '' && { usernamePrefix: flags.oidcUsernamePrefix }),
        ...(flags.oidcGroupsClaim !== '' && { groupsClaim: flags.oidcGroupsClaim }),
        ...(flags.oidcGroupsPrefix !== '' && { groupsPrefix: flags.oidcGroupsPrefix }),
        signingAlgorithms: flags.oidcSigningAlgs,
        requiredClaims: requiredClaims(flags.oidcRequiredClaim),
      },
      flags.serviceAccountIssuer,
    );
  } catch (error) {
    throw new FlagError(messageOf(error));
  }
}

function requiredClaims(pairs: readonly string[]): ReadonlyMap<string, string> {
  return new Map(
    pairs.map((pair) => {
      const [name = '', ...value] = pair.split('=');
      if (name === '' || value.length === 0) {
        throw new FlagError(`--oidc-required-claim ${pair}: must be name=value`);
      }
      return [name, value.join('=')];
    }),
  );
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
