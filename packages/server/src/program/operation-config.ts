import { readFile } from 'node:fs/promises';
import { decodeYaml } from '@tributary/apimachinery';
import { systemClock } from '@tributary/storage';
import { parseAuditPolicy } from '../operations/audit/parse-policy.ts';
import { descriptorDestination } from '../operations/logging/descriptor.ts';
import { LineWriter } from '../operations/logging/line-writer.ts';
import { type Logger, logFormat, logger } from '../operations/logging/logger.ts';
import { rotatingFile } from '../operations/logging/rotating-file.ts';
import { type CommonFlags, FlagError } from './flags.ts';
import type { ServerConfig } from './server-config.ts';

const MEGABYTE = 1024 * 1024;
const DAY_MS = 24 * 60 * 60 * 1000;

export function openLog({ loggingFormat, v }: Pick<CommonFlags, 'loggingFormat' | 'v'>): Logger {
  const format = logFormat(loggingFormat, systemClock.nowMs);
  const writer = new LineWriter({
    destination: descriptorDestination(2),
    onError: () => {}, // no other place to report it
  });
  return logger({ writer, verbosity: v, format });
}

/** Draining waits as long as a request may take, and closes the remaining connections then. */
export function operationConfig(flags: CommonFlags) {
  return {
    anonymousAuth: flags.anonymousAuth,
    maxRequestsInFlight: flags.maxRequestsInflight,
    maxMutatingRequestsInFlight: flags.maxMutatingRequestsInflight,
    requestTimeoutMs: flags.requestTimeout,
    minRequestTimeoutMs: flags.minRequestTimeout * 1000,
    corsAllowedOrigins: flags.corsAllowedOrigins,
    hstsDirectives: flags.strictTransportSecurityDirectives,
    goawayChance: flags.goawayChance,
    shutdown: {
      delayMs: flags.shutdownDelayDuration,
      watchGraceMs: flags.shutdownWatchTerminationGracePeriod,
      drainMs: flags.requestTimeout,
    },
  };
}

export async function auditConfig(
  flags: CommonFlags,
  log: Logger,
): Promise<Pick<ServerConfig, 'audit'>> {
  if (flags.auditLogPath === '') return {};
  if (flags.auditPolicyFile === '') {
    log.info('No audit policy file provided, no events will be recorded');
    return {};
  }
  try {
    const text = await readFile(flags.auditPolicyFile);
    const { policy, warnings } = parseAuditPolicy(decodeYaml(text).value);
    for (const warning of warnings) log.info(warning, { file: flags.auditPolicyFile });
    return { audit: { policy, destination: auditDestination(flags) } };
  } catch (error) {
    throw new FlagError(
      `--audit-policy-file ${flags.auditPolicyFile}: ${error instanceof Error ? error.message : error}`,
    );
  }
}

function auditDestination(flags: CommonFlags) {
  if (flags.auditLogPath === '-') return descriptorDestination(1);
  return rotatingFile({
    path: flags.auditLogPath,
    bytesMax: flags.auditLogMaxsize * MEGABYTE,
    backupsMax: flags.auditLogMaxbackup,
    ageMsMax: flags.auditLogMaxage * DAY_MS,
    nowMs: () => Date.now(),
  });
}
