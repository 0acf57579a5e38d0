/** Whether what a schema says is known here, for whoever accepts schemas from others. */
import { cel } from './cel.ts';
import { enforcedFormat } from './formats.ts';
import type { SchemaTypeName } from './schema-node.ts';

/** Why a pattern is none, in Go's words. */
export function patternError(pattern: string): string | undefined {
  const compiled = cel().compileRegexp(pattern);
  return compiled.ok ? undefined : compiled.error;
}

/** Whether texts or numbers are held to the format. */
export function isRecognizedFormat(type: string, format: string): boolean {
  return enforcedFormat(type === '' ? [] : [type as SchemaTypeName], format) !== '';
}
